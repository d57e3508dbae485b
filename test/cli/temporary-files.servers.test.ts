import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { DOMAIN, openLaptop } from './harness.ts';
import { Courier } from './process.ts';

const isUpload = (method: string, path: string) => method === 'PUT' && path.includes('/blobs/');

describe.concurrent('temporary files of a run on a laptop', () => {
  test('An export that unpacks its site leaves no temporary file', async () => {
    await using laptop = await openLaptop();
    const courier = new Courier(laptop, ['export', '--domain', DOMAIN, '--extract-to', 'site']);
    expect(await courier.ended(), courier.stderr).toBe(0);
    expect(existsSync(join(laptop.folder, 'site/index.html'))).toBe(true);
    expect(readdirSync(courier.temp)).toEqual([]);
  });

  test('An export that fails leaves no temporary file', async () => {
    await using laptop = await openLaptop();
    for (let link = 0; link < 5; link += 1)
      laptop.platform.inject({ match: { path: 'storage' }, status: 404 });
    const courier = new Courier(laptop, [
      'export',
      '--domain',
      DOMAIN,
      '--extract-to',
      'site',
      '--json',
    ]);
    expect(await courier.ended(), courier.stderr).not.toBe(0);
    expect(readdirSync(courier.temp)).toEqual([]);
    expect(readdirSync(laptop.folder)).toEqual([]);
  });

  test('The report stays if a file names it', async () => {
    await using laptop = await openLaptop();
    const courier = new Courier(laptop, [
      'export',
      '--domain',
      DOMAIN,
      '--to',
      'file:link',
      '--output-file',
      'out',
    ]);
    expect(await courier.ended(), courier.stderr).toBe(0);
    const [, path = ''] =
      /^DOCS_COURIER_OUT_REPORT_PATH=(.+)$/m.exec(
        await readFile(join(laptop.folder, 'out'), 'utf8'),
      ) ?? [];
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ status: 'completed' });
  });

  test.each<{ signals: readonly NodeJS.Signals[]; code: number }>([
    { signals: ['SIGTERM'], code: 143 },
    { signals: ['SIGINT'], code: 130 },
    { signals: ['SIGTERM', 'SIGTERM'], code: 143 },
  ])(
    'A push of an image that is ended by $signals exits with $code, and leaves neither the packed layer nor any other temporary file',
    async ({ signals, code }) => {
      await using laptop = await openLaptop({
        sites: { acme: { 'index.md': '# Docs\n\n[Nowhere](/nowhere).' } },
      });
      await using registry = await SmallRegistry.start();
      registry.inject(isUpload, { kind: 'stall', bytes: 100 }, 100);
      const image = `${registry.host}/acme/docs:latest`;
      const courier = new Courier(laptop, [
        'export',
        '--domain',
        DOMAIN,
        '--extract-to',
        'site',
        '--image',
        image,
      ]);
      await courier.until(() => courier.stderr.includes('Packed '));
      const before = readdirSync(courier.temp).join(' ');
      expect(before).toContain('docs-courier-image-');
      expect(before).toContain('docs-courier-verify-');
      for (const signal of signals) courier.kill(signal);
      expect(await courier.ended(), courier.stderr).toBe(code);
      expect(readdirSync(courier.temp)).toEqual([]);
      expect(readdirSync(laptop.folder)).toEqual([]);
    },
  );
});
