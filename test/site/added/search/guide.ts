import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const GUIDE = readFileSync(
  resolve(import.meta.dirname, '../../../../docs/how-to/add-a-search.md'),
  'utf8',
);

/** The lines that the guide adds to the configuration of each server. */
export const linesOfGuide = { nginx: blockOf('nginx'), caddy: blockOf('text') } as const;

function blockOf(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(GUIDE)?.[1] ?? '';
}
