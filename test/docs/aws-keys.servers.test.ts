import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { Folders } from '../support/world/folders.ts';
import { codeBlocks } from './terminals.ts';

const PAGE = codeBlocks('docs/how-to/deliver-to-vault-or-aws.md');
const [JENKINS = ''] = PAGE.map(({ code }) => code).filter((code) => code.startsWith('set +x'));
const container = z.object({ command: z.array(z.string()), args: z.optional(z.array(z.string())) });
const podShape = z.object({
  spec: z.object({ initContainers: z.array(container), containers: z.array(container) }),
});

// https://docs.aws.amazon.com/cli/latest/reference/configure/export-credentials.html
const EXPORTED = `export AWS_ACCESS_KEY_ID=ASIA0123456789ABCDEF
export AWS_SECRET_ACCESS_KEY=secret/of+the-machine
export AWS_SESSION_TOKEN=session/of+the-machine==
export AWS_CREDENTIAL_EXPIRATION=2026-01-01T06:00:00+00:00
`;
const GIVES_KEYS = `[ "$*" = "configure export-credentials --format env" ] || exit 2\ncat <<'END'\n${EXPORTED}END\n`;
const HAS_NO_KEYS = 'echo "Unable to retrieve credentials: no credentials found" >&2\nexit 1\n';

/** Programs that a recipe calls: `aws` does this, and node and npx record how they were started. */
function standIns(folder: string, aws: string): void {
  const record = `env > "${folder}/started"\necho "$*" >> "${folder}/started"\n`;
  for (const [name, script] of Object.entries({ aws, node: record, npx: record })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}`);
    chmodSync(join(folder, name), 0o755);
  }
}

async function run([program = '', ...args]: readonly string[], folder: string) {
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exitCode: child.exitCode, log: output.slice(0, 2).join('') };
}

describe.runIf(process.platform === 'linux')('keys from the AWS CLI', () => {
  test('The recipe for Jenkins gives the keys to the program, and its log does not show them', async () => {
    using folders = new Folders();
    const folder = folders.workspace;
    standIns(folder, GIVES_KEYS);
    // As Jenkins starts a step.
    const { exitCode, log } = await run(['sh', '-xe', '-c', JENKINS], folder);
    expect(exitCode, log).toBe(0);
    expect(log).not.toMatch(/of\+the-machine/);
    const started = readFileSync(join(folder, 'started'), 'utf8');
    for (const line of EXPORTED.trim().split('\n'))
      expect(started).toContain(line.replace('export ', ''));
    expect(started).toContain('docs-courier.tgz refresh --to aws-sm:docs/link');
  });

  test('The recipe for Jenkins fails without keys, before the program is started', async () => {
    using folders = new Folders();
    const folder = folders.workspace;
    standIns(folder, HAS_NO_KEYS);
    const { exitCode, log } = await run(['sh', '-xe', '-c', JENKINS], folder);
    expect([exitCode, existsSync(join(folder, 'started'))]).toEqual([1, false]);
    expect(log).toContain('Unable to retrieve credentials');
  });

  test.each([
    ['gives the keys to the program', GIVES_KEYS, 0],
    ['fails without keys', HAS_NO_KEYS, 1],
  ])('The init container of the recipe for a pod %s', async (_, aws, exitCode) => {
    using folders = new Folders();
    const folder = folders.workspace;
    standIns(folder, aws);
    const yaml = PAGE.find(({ code }) => code.includes('initContainers:'))?.code ?? '';
    const { initContainers, containers } = podShape.parse(parse(yaml)).spec;
    const inFolder = (words: readonly string[] = []) =>
      words.map((word) => word.replaceAll('/keys/', `${folder}/`));
    const [first, main] = [initContainers[0], containers[0]];
    const init = await run(inFolder(first?.command), folder);
    expect(init.exitCode, init.log).toBe(exitCode);
    // Kubernetes starts the container only after an init container that has succeeded.
    if (exitCode !== 0) return;
    const ended = await run([...inFolder(main?.command), ...(main?.args ?? [])], folder);
    expect(ended.exitCode, ended.log).toBe(0);
    const started = readFileSync(join(folder, 'started'), 'utf8');
    expect(started).toContain('AWS_SESSION_TOKEN=session/of+the-machine==');
    expect(started).toContain('/opt/docs-courier/cli/index.js refresh --to aws-sm:docs/link');
  });
});
