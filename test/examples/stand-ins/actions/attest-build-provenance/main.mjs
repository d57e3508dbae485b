import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  globSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const { env } = process;
const record = join(env.EXAMPLES_FOLDER, 'attested.json');
const writeBundle = (subjects) => {
  const bundle = join(env.RUNNER_TEMP, 'attestation.json');
  writeFileSync(bundle, JSON.stringify({ subjects }));
  appendFileSync(env.GITHUB_OUTPUT, `bundle-path=${bundle}\n`);
};
const [name = '', digest = ''] = [env['INPUT_SUBJECT-NAME'], env['INPUT_SUBJECT-DIGEST']];
if (digest !== '') {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest) || /[@\s]|:[^/]*$/.test(name.replace(/^[^/]*/, ''))) {
    console.log('::error::subject-digest must be in the format "sha256:<hex-digest>"');
    process.exit(1);
  }
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {};
  writeFileSync(record, JSON.stringify({ ...before, [name]: digest }));
  writeBundle({ [name]: digest });
  process.exit(0);
}
const patterns = env['INPUT_SUBJECT-PATH'].split('\n').map((line) => line.trim());
const paths = patterns.filter((pattern) => pattern !== '').flatMap((pattern) => globSync(pattern));
const files = paths.filter((path) => statSync(path).isFile());
if (files.length === 0) {
  console.log('::error::Could not find subject at path');
  process.exit(1);
}
const digests = files.map((path) => [
  path,
  createHash('sha256').update(readFileSync(path)).digest('hex'),
]);
writeFileSync(record, JSON.stringify(Object.fromEntries(digests)));
writeBundle(Object.fromEntries(digests));
