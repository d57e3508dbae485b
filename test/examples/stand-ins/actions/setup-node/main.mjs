import { execFileSync } from 'node:child_process';

const wanted = process.env['INPUT_NODE-VERSION'];
const found = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
if (found.startsWith(`v${wanted}.`)) console.log(found);
else {
  console.log(`::error::node is ${found}, and ${wanted} was asked for`);
  process.exit(1);
}
