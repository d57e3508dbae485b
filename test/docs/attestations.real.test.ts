import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTool } from '../../scripts/examples/tools.ts';
import { cosignProgram } from '../support/real-servers/cosign.ts';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { CHECKOUT, type Ended, Reader, shellBlocks } from './terminals.ts';

const [ARCHIVE = '', IMAGE = '', IN_REGISTRY = '', COSIGN = ''] = shellBlocks(
  'docs/how-to/publish-an-image.md',
).slice(-4);
const [, , COPY = ''] = shellBlocks('docs/how-to/air-gapped-hand-over.md');
const GH = verifyingGh();
const SKOPEO = findTool('skopeo');
if (GH === undefined)
  console.warn('gh is not installed: its commands of the page about images are not tried.');

/** The GitHub CLI, if it is one that verifies attestations: that of Debian 12 does not. */
function verifyingGh(): string | undefined {
  const path = findTool('gh');
  if (path === undefined) return undefined;
  try {
    const help = execFileSync(path, ['attestation', 'verify', '--help'], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return help.includes('--custom-trusted-root') ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A reader on the other side: with what was carried over, a program, and no way to any other
 * machine.
 */
async function otherSide(name: string, program: string): Promise<Reader> {
  const reader = new Reader();
  cpSync(join(CHECKOUT, 'test/fixtures/attestations'), reader.folder, { recursive: true });
  symlinkSync(program, join(reader.home, 'programs', name));
  await reader.run('export HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9');
  return reader;
}

function expectDone({ exitCode, output }: Ended): string {
  expect(exitCode, output).toBe(0);
  return output;
}

/** What someone on the way could have changed, as a change of the block or of the files. */
const WRONG: readonly (readonly [string, (block: string) => string])[] = [
  ['another repository', (block) => block.replaceAll('acme/docs', 'acme/other')],
  ['another workflow', (block) => block.replaceAll('.yml@', '-other.yml@')],
  ['another branch', (block) => block.replaceAll('refs/heads/main', 'refs/heads/change')],
  ['another root', (block) => `cp another_root.jsonl trusted_root.jsonl\n${block}`],
  [
    'the attestation of something else',
    (block) => `cp other.sigstore.json ${bundleOf(block)}\n${block}`,
  ],
];

function bundleOf(block: string): string {
  return /--bundle (\S+)/.exec(block)?.[1] ?? '';
}

test('The page gives each program what is to be verified, its attestation, the root and the signer', () => {
  for (const block of [ARCHIVE, IMAGE, IN_REGISTRY])
    expect(block).toMatch(/^gh attestation verify /m);
  expect(COSIGN).toMatch(/^cosign verify-blob-attestation /m);
  expect(COPY).toMatch(/^skopeo copy /m);
});

describe('cosign', () => {
  test('It verifies the archive without a network', async () => {
    await using reader = await otherSide('cosign', cosignProgram());
    expect(expectDone(await reader.run(COSIGN))).toContain('Verified OK');
  });

  test.each(WRONG)('It refuses %s', async (_, change) => {
    await using reader = await otherSide('cosign', cosignProgram());
    await reader.run(`cp docs.image.sigstore.json other.sigstore.json`);
    const { exitCode, output } = await reader.run(change(COSIGN));
    expect(exitCode, output).not.toBe(0);
    expect(output).not.toContain('Verified OK');
  });

  test('It refuses an archive with one more byte', async () => {
    await using reader = await otherSide('cosign', cosignProgram());
    appendFileSync(join(reader.folder, 'docs.tar.gz'), 'x');
    const { exitCode, output } = await reader.run(COSIGN);
    expect(exitCode).not.toBe(0);
    expect(output).toContain('does not match any digest in statement');
  });

  test('It verifies the archive of a private repository with the last root and the options of the page', async () => {
    await using reader = await otherSide('cosign', cosignProgram());
    const options = '--use-signed-timestamps --insecure-ignore-tlog --insecure-ignore-sct';
    const privately = COSIGN.replace('head -n 1', 'tail -n 1')
      .replace('docs.tar.gz.sigstore.json', 'private.sigstore.json')
      .replace('--type', `${options} --type`);
    expect(expectDone(await reader.run(privately))).toContain('Verified OK');
    const changed = `cp another_root.jsonl trusted_root.jsonl\n${privately}`;
    expect((await reader.run(changed)).exitCode).not.toBe(0);
  });

  test.skipIf(SKOPEO === undefined)(
    'It verifies the index of the image, with the image still in its file',
    async () => {
      await using reader = await otherSide('cosign', cosignProgram());
      const [, inspect = ''] = IMAGE.split('\n');
      expectDone(await reader.run(inspect));
      const image = COSIGN.replaceAll('docs.tar.gz.sigstore.json', 'docs.image.sigstore.json')
        .replaceAll('docs.tar.gz', 'docs.index.json')
        .replaceAll('air-gapped.yml', 'air-gapped-image.yml');
      expect(expectDone(await reader.run(image))).toContain('Verified OK');
      appendFileSync(join(reader.folder, 'docs.index.json'), ' ');
      expect((await reader.run(image)).exitCode).not.toBe(0);
    },
  );
});

describe.skipIf(GH === undefined)('The GitHub CLI', () => {
  test('It verifies the archive without a network and without an account', async () => {
    await using reader = await otherSide('gh', GH ?? '');
    expectDone(await reader.run(ARCHIVE));
  });

  test('It verifies the archive of a private repository with the same options', async () => {
    await using reader = await otherSide('gh', GH ?? '');
    expectDone(
      await reader.run(ARCHIVE.replace('docs.tar.gz.sigstore.json', 'private.sigstore.json')),
    );
  });

  test.each(WRONG)('It refuses %s', async (_, change) => {
    await using reader = await otherSide('gh', GH ?? '');
    await reader.run(`cp docs.image.sigstore.json other.sigstore.json`);
    expect((await reader.run(change(ARCHIVE))).exitCode).not.toBe(0);
  });

  test('It refuses an archive with one more byte', async () => {
    await using reader = await otherSide('gh', GH ?? '');
    appendFileSync(join(reader.folder, 'docs.tar.gz'), 'x');
    expect((await reader.run(ARCHIVE)).exitCode).not.toBe(0);
  });

  test.skipIf(SKOPEO === undefined)(
    'It verifies the image in its file, and then in the registry',
    async () => {
      await using reader = await otherSide('gh', GH ?? '');
      await using inside = await SmallRegistry.start();
      const settings = join(reader.home, '.config/containers');
      mkdirSync(settings, { recursive: true });
      writeFileSync(
        join(settings, 'registries.conf'),
        `[[registry]]\nlocation = "${inside.host}"\ninsecure = true\n`,
      );
      const there = (block: string) => block.replaceAll('registry.inside.example', inside.host);
      expectDone(await reader.run(IMAGE));
      expectDone(await reader.run(there(COPY)));
      expectDone(await reader.run(there(IN_REGISTRY)));
      const verify = there(IN_REGISTRY);
      const refused = [
        verify.replace('--repo acme/docs', '--repo acme/other'),
        verify.replace('"$SIGNER"', '"${SIGNER/main/change}"'),
        verify.replace('docs.image.sigstore.json', 'docs.tar.gz.sigstore.json'),
        verify.replace('trusted_root.jsonl', 'another_root.jsonl'),
      ];
      for (const block of refused) {
        expect(block).not.toBe(verify);
        expect((await reader.run(block)).exitCode, block).not.toBe(0);
      }
    },
  );
});
