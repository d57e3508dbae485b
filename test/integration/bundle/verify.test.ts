import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleSections } from '../../../src/bundle/summary.ts';
import { type Verified, verifySite } from '../../../src/bundle/verify/verify.ts';
import { startBundleServer } from '../../support/bundle-server.ts';
import { tarGz } from './archives.ts';
import { BREAKAGES, type Breakage, CLEAN_SITE } from './site.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

interface Options {
  readonly isAirGapped?: boolean;
  readonly pageCount?: number;
}

function verify(bench: Workbench, files: Readonly<Record<string, string>>, options: Options = {}): Promise<Verified> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(bench.workspace, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return verifySite({
    root: bench.workspace,
    files: Object.keys(files),
    pageCount: options.pageCount,
    isAirGapped: options.isAirGapped ?? true,
    runnerTemp: bench.runnerTemp,
    signal: new AbortController().signal,
  });
}

function breakSite({ add, remove, files }: Breakage): Record<string, string> {
  const site: Record<string, string> = { ...CLEAN_SITE, ...files };
  if (add !== undefined) site['index.html'] = `${site['index.html']}${add}`;
  return Object.fromEntries(Object.entries(site).filter(([path]) => path !== remove));
}

test('a whole site has no finding', async () => {
  using bench = openWorkbench();
  const { verification, reportPath } = await verify(bench, CLEAN_SITE, { pageCount: 4 });
  expect(JSON.parse(readFileSync(reportPath, 'utf8')).findings).toEqual([]);
  expect(verification).toMatchObject({ pages: 4, errors: 0, warnings: 0, notes: 0 });
  expect(verification.references).toBeGreaterThan(40);
});

describe('a site that is broken', () => {
  test('is broken in at least 25 ways here', () => {
    expect(BREAKAGES.length).toBeGreaterThanOrEqual(25);
  });

  test.each(BREAKAGES)('by $name is found: $kind', async (breakage) => {
    using bench = openWorkbench();
    const { verification, reportPath } = await verify(bench, breakSite(breakage));
    const { findings } = JSON.parse(readFileSync(reportPath, 'utf8'));
    expect(findings.map(({ kind }: { kind: string }) => kind)).toContain(breakage.kind);
    expect(verification.first.length).toBeGreaterThan(0);
    // Nothing else is broken, so nothing else may be reported.
    expect(new Set(findings.map(({ kind }: { kind: string }) => kind)).size).toBeLessThanOrEqual(
      breakage.remove ? 3 : 1,
    );
  });
});

test('loading from elsewhere is an error only where there is no elsewhere', async () => {
  const site = { ...CLEAN_SITE, 'x.html': '<img src="https://cdn.example.net/x.png">' };
  using bench = openWorkbench();
  expect((await verify(bench, site, { isAirGapped: true })).verification).toMatchObject({ errors: 1, warnings: 0 });
  expect((await verify(bench, site, { isAirGapped: false })).verification).toMatchObject({ errors: 0, warnings: 1 });
});

test('another number of pages than the platform told is a note', async () => {
  using bench = openWorkbench();
  const { verification } = await verify(bench, CLEAN_SITE, { pageCount: 7 });
  expect(verification).toMatchObject({ errors: 0, warnings: 0, notes: 1 });
});

test('many findings are counted all, and ten are shown', async () => {
  using bench = openWorkbench();
  const links = Array.from({ length: 12_000 }, (_, index) => `<a href="/gone-${index}">`).join('');
  const { verification, reportPath } = await verify(bench, { ...CLEAN_SITE, 'x.html': links });
  const report = JSON.parse(readFileSync(reportPath, 'utf8'));
  expect(verification.errors).toBe(12_000);
  expect(verification.first).toHaveLength(10);
  expect(report).toMatchObject({ truncated: true, errors: 12_000 });
  expect(report.findings).toHaveLength(10_000);
});

describe('verify: strict', () => {
  async function receive(verifyMode: 'strict' | 'report' | 'off') {
    const bench = openWorkbench();
    const site = { ...CLEAN_SITE, 'x.html': '<a href="/gone">' };
    await using server = await startBundleServer(
      tarGz(Object.entries(site).map(([name, content]) => ({ name: `docs/${name}`, content }))),
    );
    const extractTo = join(bench.workspace, 'site');
    const received = await bench.receive({ url: server.url, bundle: { extractTo, verify: verifyMode } });
    return { received, bench, extractTo };
  }

  test('fails on an error, after the site is in its place and the report is written', async () => {
    const { received, bench, extractTo } = await receive('strict');
    expect(received.facts.sitePath).toBe(join(extractTo, 'docs'));
    expect(JSON.parse(readFileSync(received.facts.verifyReport ?? '', 'utf8')).errors).toBe(1);
    expect(() => received.assertSound()).toThrow(expect.objectContaining({ code: 'checks-failed' }));
    bench[Symbol.dispose]();
  });

  test('is what report is not: the same findings fail nothing', async () => {
    const { received, bench } = await receive('report');
    expect(received.facts.verification?.errors).toBe(1);
    expect(() => received.assertSound()).not.toThrow();
    expect(bundleSections(received.facts)).toContain('`/gone`');
    bench[Symbol.dispose]();
  });

  test('off looks at nothing', async () => {
    const { received, bench } = await receive('off');
    expect(received.facts).toMatchObject({ verification: undefined, verifyReport: undefined });
    bench[Symbol.dispose]();
  });
});
