// As the real one does: every input whose name begins with `permission-` narrows the token; without
// any, it has all that the App has; without `repositories`, it sees the current repository, or with
// `owner` alone all of the installation.
import { appendFileSync } from 'node:fs';

const { env } = process;
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const permissions = {};
for (const [key, value] of Object.entries(env)) {
  if (!key.startsWith('INPUT_PERMISSION-') || value === '') continue;
  permissions[key.slice('INPUT_PERMISSION-'.length).toLowerCase().replaceAll('-', '_')] = value;
}
const names = input('repositories')
  .split(/[,\s]+/)
  .filter((name) => name !== '');
const owner = input('owner') || env.GITHUB_REPOSITORY.split('/')[0];
const current = input('owner') === '' ? [env.GITHUB_REPOSITORY] : undefined;
const reply = await fetch(`${env.EXAMPLES_DESK}/app-token`, {
  method: 'POST',
  body: JSON.stringify({
    clientId: input('client-id'),
    privateKey: input('private-key'),
    permissions,
    repositories: names.length > 0 ? names.map((name) => `${owner}/${name}`) : current,
  }),
});
const body = await reply.json();
if (!reply.ok) {
  console.log(`::error::${body.error}`);
  process.exit(1);
}
console.log(`::add-mask::${body.token}`);
appendFileSync(env.GITHUB_OUTPUT, `token=${body.token}\n`);
