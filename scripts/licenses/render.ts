import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type ShippedPackage, shippedPackages } from './packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const RULE = '='.repeat(80);

const manifest = z.object({ license: z.optional(z.unknown()), homepage: z.optional(z.string()) });

function licenceFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter(
      (name) =>
        /^(licen[cs]e|copying|notice)([-.].*)?$/i.test(name) && !/\.(js|ts|json)$/i.test(name),
    )
    .sort();
}

function normalise(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

interface Licensed {
  /** Name, version, licence and home page, on one line. */
  readonly about: string;
  readonly text: string;
}

function readLicence({ name, version, folder }: ShippedPackage): Licensed {
  const destination = join(ROOT, folder);
  if (!existsSync(destination)) throw new Error(`${folder} is not installed: run \`npm ci\``);
  const { license, homepage } = manifest.parse(
    JSON.parse(readFileSync(join(destination, 'package.json'), 'utf8')),
  );
  if (typeof license !== 'string')
    throw new Error(`${name} ${version} has no licence in package.json`);
  const texts = licenceFiles(destination).map((file) =>
    normalise(readFileSync(join(destination, file), 'utf8')),
  );
  const missing = `The package contains no licence text; it is published under ${license}.`;
  return {
    about: [
      `${name} ${version}`,
      `licence: ${license}`,
      ...(homepage === undefined ? [] : [homepage]),
    ].join(', '),
    text: texts.length === 0 ? missing : texts.join('\n\n'),
  };
}

/**
 * Name, version and licence text of every package with code in dist, of the action and of the
 * emulator. A text that several packages share exactly is there once, below the names of all of
 * them.
 */
export function renderLicenses(): string {
  const packages = shippedPackages(ROOT);
  const byText = new Map<string, string[]>();
  for (const { about, text } of packages.map(readLicence))
    byText.set(text, [...(byText.get(text) ?? []), about]);
  const intro = `The action and the emulator in dist are built from these ${packages.length} packages. Each text applies to the packages named above it.`;
  const sections = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return `${[intro, ...sections].join(`\n\n${RULE}\n\n`)}\n`;
}
