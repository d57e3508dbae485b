import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importedPackages, shippedPackages } from '../../../scripts/licenses/packages.ts';
import { renderLicenses } from '../../../scripts/licenses/render.ts';

const root = resolve(import.meta.dirname, '../../..');
const text = renderLicenses();

describe('the licences of what is shipped', () => {
  it('finds packages that are loaded at the start, when needed, and by the emulator', () => {
    expect(importedPackages(root)).toEqual(expect.arrayContaining(['@actions/http-client', 'yaml', 'hono']));
  });

  it('leaves out tools that only build and test', () => {
    const names = shippedPackages(root).map(({ name }) => name);
    expect(names.filter((name) => ['typescript', 'vitest', '@vercel/ncc', 'nock', 'yazl'].includes(name))).toEqual([]);
  });

  it('follows dependencies of dependencies', () => {
    // undici is needed by @actions/http-client alone.
    expect(shippedPackages(root).map(({ name }) => name)).toContain('undici');
  });

  it('names each package once, with a licence and a text', () => {
    const sections = text.split(`\n\n${'='.repeat(80)}\n\n`).slice(1);
    expect(sections).toHaveLength(shippedPackages(root).length);
    const heads = sections.map((section) => section.split('\n')[0]);
    expect(new Set(heads).size).toBe(heads.length);
    for (const section of sections) {
      expect(section).toMatch(/^Licence: \S/m);
      expect(section.length).toBeGreaterThan(200);
    }
  });

  it('is the same each time and holds no path of this machine', () => {
    expect(renderLicenses()).toBe(text);
    expect(text).not.toContain(root);
  });
});
