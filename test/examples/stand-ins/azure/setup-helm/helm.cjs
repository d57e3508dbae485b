#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const args = process.argv.slice(2);
const files = {};
args.forEach((arg, index) => {
  if (arg === '--kubeconfig') files.kubeconfig = readFileSync(args[index + 1], 'utf8');
  // `key=path`: the file's content becomes the value, whatever it contains.
  const [, key, path] = args[index - 1] === '--set-file' ? (/^([^=]+)=(.*)$/.exec(arg) ?? []) : [];
  if (key !== undefined) files[key] = readFileSync(path, 'utf8');
});
const note = { args, files, chart: readFileSync(join(args[2], 'Chart.yaml'), 'utf8') };
appendFileSync(join(process.env.EXAMPLES_FOLDER, 'helm.jsonl'), `${JSON.stringify(note)}\n`);
