import { appendFileSync } from 'node:fs';

const { env } = process;
for (const name of ['ROLE-TO-ASSUME', 'AWS-REGION']) {
  if ((env[`INPUT_${name}`] ?? '') !== '') continue;
  console.log(`::error::Input required and not supplied: ${name.toLowerCase()}`);
  process.exit(1);
}
const values = {
  AWS_ACCESS_KEY_ID: env.EXAMPLES_S3_ACCESS_KEY,
  AWS_SECRET_ACCESS_KEY: env.EXAMPLES_S3_SECRET_KEY,
  AWS_REGION: env['INPUT_AWS-REGION'],
  AWS_DEFAULT_REGION: env['INPUT_AWS-REGION'],
  AWS_ENDPOINT_URL: env.EXAMPLES_S3_ENDPOINT,
};
console.log(`::add-mask::${values.AWS_SECRET_ACCESS_KEY}`);
for (const [name, value] of Object.entries(values))
  appendFileSync(env.GITHUB_ENV, `${name}=${value}\n`);
