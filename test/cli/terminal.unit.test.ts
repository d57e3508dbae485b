import { expect, test } from 'vitest';
import { openTerminal } from '../../src/cli/terminal.ts';

const JOB = '866ba9fb-4823-4961-a1d8-8626c69bf804';
const EARLIER = '766ba9fb-4823-4961-a1d8-8626c69bf804';
const STATUS = [
  ['Destination', 'Live export', 'Since', 'Link works until', 'Roll back to'],
  [
    'github:repo/acme/docs/URL',
    `${JOB}\n12 pages`,
    '2026-11-24 00:27 UTC',
    '2026-11-24 01:27 UTC',
    EARLIER,
  ],
  [
    'file:/docs/link.txt',
    `${JOB}\n12 pages`,
    '2026-11-24 00:27 UTC',
    '2026-11-24 01:27 UTC',
    'none',
  ],
];

function layOut(columns: number, rows: readonly (readonly string[])[]): readonly string[] {
  return openTerminal({ columns, hasColors: () => false, write: () => true }).table(rows);
}

test.each([34, 80])(
  'In %i columns no id of a table is cut, and every other line fits',
  (columns) => {
    const lines = layOut(columns, STATUS);
    expect(lines.filter((line) => line.includes(JOB))).toHaveLength(2);
    expect(lines.filter((line) => line.includes(EARLIER))).toHaveLength(1);
    for (const line of lines.filter((one) => one.length >= columns))
      expect([JOB, EARLIER]).toContain(line.trim());
    expect(lines.join(' ')).toContain('Link works until: 2026-11-24 01:27 UTC');
  },
);

test.each([34, 80])(
  'In %i columns no address of a page, no host name and no word is cut',
  (columns) => {
    const rows = [
      ['', 'Page', 'Text'],
      [
        '1.',
        '/reference/report-json',
        'A run of docs.example.com ended early, and the export continues.',
      ],
      ['2.', '/how-to/export-on-merge', 'The platform can say that it has published a commit.'],
    ];
    const words = rows.flat().flatMap((cell) => cell.split(' '));
    const lines = layOut(columns, rows);
    const shown = lines.flatMap((line) => line.split(/ +/));
    expect(words.filter((word) => !shown.includes(word) && !shown.includes(`${word}:`))).toEqual(
      [],
    );
    for (const line of lines) expect(line.length).toBeLessThan(columns);
  },
);

test('An address that is wider than the terminal stays whole, so that it can be copied', () => {
  const address = 'github:repo/acme/documentation/DOCS_BUNDLE_URL';
  const lines = layOut(34, [
    ['Destination', 'Live export'],
    [address, JOB],
  ]);
  expect(lines).toEqual(['Destination:', address, 'Live export:', JOB]);
});

test('A row that is laid out in lines begins with its sign, and an empty line is between two rows', () => {
  const rows = [
    ['', 'Check', 'Found'],
    ['✅', 'State', `The stored link is of export job ${JOB}.`],
    ['✅', 'Clock', 'Right.'],
  ];
  const lines = layOut(40, rows);
  expect(lines[0]).toBe('✅ Check: State');
  expect(lines.slice(-3)).toEqual(['', '✅ Check: Clock', 'Found: Right.']);
});

test('A table whose ids fit has columns', () => {
  expect(
    layOut(80, [
      ['Site', 'Job'],
      ['guide', JOB],
    ]),
  ).toEqual(['Site   Job', `guide  ${JOB}`]);
});
