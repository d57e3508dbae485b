import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedPackages, NOT_BUNDLED, shippedPackages } from '../../scripts/licenses/packages.ts';
import { renderLicenses } from '../../scripts/licenses/render.ts';

const root = resolve(import.meta.dirname, '../..');
const text = renderLicenses();

describe('the licences of the shipped packages', () => {
  it('The licences include packages that are loaded at the start, when needed, and by the emulator', () => {
    expect(importedPackages(root)).toEqual(
      expect.arrayContaining(['@actions/http-client', 'yaml', 'hono']),
    );
  });

  it('The licences leave out tools that only build and test', () => {
    const names = shippedPackages(root).map(({ name }) => name);
    expect(
      names.filter((name) =>
        ['typescript', 'vitest', '@vercel/ncc', 'nock', 'fast-check'].includes(name),
      ),
    ).toEqual([]);
  });

  it('The licences include dependencies of dependencies', () => {
    // Only https-proxy-agent needs agent-base; the build replaces those that @actions/core and
    // @actions/http-client need.
    const names = shippedPackages(root).map(({ name }) => name);
    expect(names).toContain('agent-base');
    for (const name of NOT_BUNDLED) expect(names).not.toContain(name);
  });

  it('The licences list each package once, with its licence, above the text of that licence', () => {
    const sections = text.split(`\n\n${'='.repeat(80)}\n\n`).slice(1);
    const names = sections.flatMap((section) => section.split('\n\n')[0]?.split('\n') ?? []);
    expect(names).toHaveLength(shippedPackages(root).length);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\S+ \d\S*, licence: \S/);
    for (const section of sections) expect(section.length).toBeGreaterThan(200);
  });

  it('The licences contain the whole text of every package, as it was published', () => {
    const squeeze = (raw: string) => raw.replace(/\s+/g, ' ').trim();
    const all = squeeze(text);
    const own = shippedPackages(root).flatMap(({ folder }) =>
      readdirSync(join(root, folder))
        .filter((name) => /^licen[cs]e(\.md|\.txt)?$/i.test(name))
        .map((name) => [folder, squeeze(readFileSync(join(root, folder, name), 'utf8'))] as const),
    );
    expect(own.length).toBeGreaterThan(40);
    expect(own.filter(([, raw]) => !all.includes(raw)).map(([folder]) => folder)).toEqual([]);
  });

  it('The licences contain no text twice', () => {
    expect(text.match(/TERMS AND CONDITIONS FOR USE, REPRODUCTION/g)?.length).toBeLessThanOrEqual(
      6,
    );
    expect(text.length).toBeLessThan(120 * 1024);
  });

  it('The licences are the same each time and contain no path of this machine', () => {
    expect(renderLicenses()).toBe(text);
    expect(text).not.toContain(root);
  });
});
