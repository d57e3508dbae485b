import { docusaurus } from './docusaurus.ts';
import { eleventy } from './eleventy.ts';
import type { Generator } from './generator.ts';
import { material, zensical } from './mkdocs.ts';
import { next } from './next.ts';
import { rspress } from './rspress.ts';
import { sphinx } from './sphinx.ts';
import { starlight } from './starlight.ts';
import { vitepress } from './vitepress.ts';

export const GENERATORS: readonly Generator[] = [
  next,
  vitepress,
  docusaurus,
  starlight,
  rspress,
  material,
  zensical,
  eleventy,
  sphinx,
];
