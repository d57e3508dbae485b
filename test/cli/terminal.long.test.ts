import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { findNode } from '../support/runner/environment.ts';
import { ADMIN_KEY, ASSISTANT_KEY, DOMAIN, openLaptop } from './harness.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../../src/entry/cli.ts');
const SCRIPT = '/usr/bin/script';
const WIDE = '新しい手順書をどこで読めますか';
/** A terminal shows the last text after a carriage return. */
const shownIn = (text: string) => stripVTControlCharacters(text).split(/\r?\n/);

describe.runIf(process.platform === 'linux' && existsSync(SCRIPT))(
  'in a real pseudo-terminal',
  () => {
    test.each([40, 80, 200])(
      'In a terminal of %i columns, tables and progress fit its width',
      async (columns) => {
        await using laptop = await openLaptop();
        const { folder, platform } = laptop;
        const query = (text: string) =>
          `  - query: ${text}\n    expect: { paths: [/nowhere/${WIDE}] }\n`;
        await writeFile(join(folder, 'q.yml'), `queries:\n${query(WIDE)}${query('install')}`);
        const courier = async (args: string, extra: Readonly<Record<string, string>> = {}) => {
          const env = {
            PATH: process.env.PATH,
            HOME: folder,
            TERM: 'xterm-256color',
            DOCS_COURIER_BASE_URL: platform.url,
            DOCS_COURIER_ADMIN_API_KEY: ADMIN_KEY,
            DOCS_COURIER_ASSISTANT_API_KEY: ASSISTANT_KEY,
            ...extra,
          };
          const command = `stty cols ${columns}; exec '${findNode()}' '${PROGRAM}' ${args}`;
          const { stdout } = await run(SCRIPT, ['-qec', command, '/dev/null'], {
            cwd: folder,
            env,
          }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
          return stdout;
        };
        const table = (screen: string, head: RegExp, end: RegExp) => {
          const lines = shownIn(screen);
          const [from, to] = [
            lines.findIndex((line) => head.test(line)),
            lines.findIndex((line) => end.test(line)),
          ];
          expect(from, screen).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThan(from + 1);
          const rows = lines.slice(from, to);
          // One word, such as a path, is broken by the terminal itself.
          for (const line of rows.filter((one) => /\s/.test(one.trim())))
            expect(stringWidth(line), line).toBeLessThan(columns);
          return rows.join('\n');
        };

        const exported = await courier(`export --domain ${DOMAIN} --to file:link`);
        expect(exported).toContain('\u001b[1mFollowing export job');
        for (const line of exported.split('\r\u001b[2K').filter((text) => /^\[[#.]+\]/.test(text)))
          expect(stringWidth(line.split('\r\n')[0] ?? '')).toBeLessThan(columns);

        // The words of the query have no room in a column of the narrow one.
        const queries = columns === 40 ? /^Line: 2/ : /^Line +Query/;
        const search = table(await courier('search q.yml --domain acme'), queries, /queries: /);
        expect(search.replace(/[\s\d]|[^\P{ASCII}]/gu, '')).toContain(WIDE.slice(0, 3));
        const colourless = await courier(`doctor --domain ${DOMAIN} --to file:link`, {
          NO_COLOR: '1',
        });
        expect(colourless).not.toMatch(/\u001b\[\d+m/);
        // The id of a job in it has no room in a column of the narrow one.
        expect(
          table(colourless, columns === 40 ? /^✅ Check: / : /^ +Check +Found/, /^Status/),
        ).toContain('✅');
      },
    );
  },
);
