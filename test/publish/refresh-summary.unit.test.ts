import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import createMarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { deliveryText } from '../../src/delivery/summary.ts';
import { type PublishFacts, publishPresentation } from '../../src/publish/summary.ts';
import { outputsOf } from '../../src/run/outputs.ts';
import type { Report } from '../../src/run/report.ts';
import { anyText } from '../support/any-text.ts';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const LINK = 'https://bundles.example.com/docs.tar.gz?sig=canarySignature0123456789';
const BASE = {
  version: 1,
  mode: 'refresh',
  startedAt: '2026-03-01T10:00:00.000Z',
  elapsedMs: 900,
} as const;

function report(facts: Partial<Report<PublishFacts>>): Report<PublishFacts> {
  return { ...BASE, status: 'completed', changed: false, ...facts };
}

const FRESH: PublishFacts = {
  changed: true,
  domain: 'docs.example.com',
  jobId: 'job-1',
  bundleUrl: LINK,
  expiresAt: '2026-03-02T10:00:00.000Z',
  bundleBytes: 3 * 1024 * 1024,
  delivery: { updated: true, stateWritten: true, name: 'DOCS_URL', target: 'repository acme/docs' },
};

test('A refresh fills its outputs, and the link is in no output but its own', () => {
  const outputs = outputsOf('refresh', FRESH);
  expect(outputs).toMatchObject({
    'job-id': 'job-1',
    'expires-at': '2026-03-02T10:00:00.000Z',
    'bundle-url': LINK,
    changed: 'true',
  });
  expect(
    Object.entries(outputs).filter(([, value]) => value?.includes('canarySignature')),
  ).toHaveLength(1);
  expect(publishPresentation.summary(report(FRESH), NOW)).not.toContain('canarySignature');
});

test('Outputs are false, and not empty, from the beginning', () => {
  expect(outputsOf('refresh', {})).toMatchObject({ changed: 'false' });
});

test('The summary of a fresh link shows job, expiry, size, secret and what to do next', () => {
  const text = publishPresentation.summary(report(FRESH), NOW);
  for (const part of [
    '`job-1`',
    '2026-03-02 10:00 UTC (in 1 d)',
    '3.0 MiB',
    'written to `DOCS_URL`',
    '`bundle-url`',
  ]) {
    expect(text).toContain(part);
  }
});

test('The summary shows the version with the new link, and the one with the previous link', () => {
  const destinations = [
    { destination: 'vault:secret/docs#url', written: true, version: '7', formerVersion: '4' },
  ];
  const facts = {
    ...FRESH,
    delivery: { updated: true, stateWritten: true, name: 'url', target: 'Vault', destinations },
  };
  const expected = '(version `7`; the previous link is version `4`)';
  expect(publishPresentation.summary(report(facts), NOW)).toContain(
    `written to \`url\` of Vault ${expected}`,
  );
  const two = {
    ...facts,
    delivery: {
      ...facts.delivery,
      destinations: [...destinations, { destination: 'file:/a', written: true }],
    },
  };
  expect(publishPresentation.summary(report(two), NOW)).toContain(
    `\`vault:secret/docs#url\` ${expected}`,
  );
});

test('The summary of a refresh that is not due says how long the link is valid and when a refresh is due', () => {
  const text = publishPresentation.summary(
    report({
      jobId: 'job-1',
      expiresAt: '2026-03-02T10:00:00.000Z',
      dueAt: '2026-03-01T22:00:00.000Z',
      reason: 'Good',
    }),
    NOW,
  );
  expect(text).toContain('2026-03-01 22:00 UTC (in 12 h)');
  expect(text).toContain('not made');
  expect(text).toContain('contains the stored link');
  expect(text).not.toContain('**Next**');
});

test('The last lines of a refresh that is not due say where the link is, until when it works, and when the next is due', () => {
  const expiresAt = '2026-03-02T10:00:00.000Z';
  const given = report({ to: 'github:secret/URL', expiresAt, dueAt: '2026-03-01T22:00:00.000Z' });
  expect(publishPresentation.closing?.(given, NOW)).toEqual([
    'Link: still in github:secret/URL',
    'Link works until: 2026-03-02 10:00 UTC (in 1 d)',
    'Next refresh due: 2026-03-01 22:00 UTC (in 12 h)',
  ]);
});

test('A link that was made and not delivered differs from one that was not made', () => {
  const error = { code: 'forbidden', message: 'No.' } as const;
  const made = report({
    status: 'failed',
    bundleUrl: LINK,
    delivery: { ...FRESH.delivery, updated: false, ...written },
  });
  expect(publishPresentation.summary({ ...made, error }, NOW)).toContain('made, not delivered');
  expect(publishPresentation.summary({ ...report({ status: 'failed' }), error }, NOW)).toContain(
    'not made',
  );
});

const written = { name: 'DOCS_URL', target: 'organization acme', stateWritten: false } as const;

test.each([
  [undefined, true, 'not written'],
  [undefined, false, 'not asked for'],
  [{ ...written, updated: true }, true, 'written to `DOCS_URL` of organization acme'],
  [
    { ...written, updated: true, reason: 'without X' },
    true,
    'written to `DOCS_URL` of organization acme: without X',
  ],
  [{ ...written, updated: false, reason: 'the write failed' }, true, 'not written to `DOCS_URL`'],
])('The summary says what happened to the secret (%#)', (secret, isAskedFor, text) => {
  expect(deliveryText(secret, isAskedFor).startsWith(text)).toBe(true);
});

const hostile = fc.oneof(
  anyText({ maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '<img src=x onerror=y>',
          '![x](https://evil.example/b.png)',
          '[x](https://evil.example)',
          '@acme/team',
        ],
        ...[
          '</td></table>',
          '| a | b |',
          '`',
          '```',
          '\n',
          '\n\n',
          '# ',
          '<!--',
          '-->',
          'https://evil.example',
          '\\',
          '~~~',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const OUR_PAGES = 'docs/';

interface Shown {
  readonly tags: Set<string>;
  readonly attributes: Set<string>;
  /** Text outside of code: mentions are read only there. */
  prose: string;
}

/** The HTML that a reader of the summary sees. */
function show(markdown: string): Shown {
  const shown: Shown = { tags: new Set(), attributes: new Set(), prose: '' };
  let code = 0;
  const parser = new Parser({
    onopentag(name, found) {
      // Links to the pages of this project, whose addresses are part of the program.
      if (name === 'a' && found.href?.startsWith(OUR_PAGES)) return;
      shown.tags.add(name);
      for (const key of Object.keys(found)) shown.attributes.add(key);
      if (name === 'code') code += 1;
    },
    onclosetag(name) {
      if (name === 'code') code -= 1;
    },
    ontext(text) {
      if (code === 0) shown.prose += text;
    },
  });
  parser.end(createMarkdownIt({ html: true, linkify: true }).render(markdown));
  return shown;
}

const PLAIN = 'h2 h3 p strong em ul li code pre table thead tbody tr th td'.split(' ');

test('No text from outside becomes an image, a link, HTML or a mention in a summary', () => {
  const rows = fc.array(fc.record({ action: hostile, target: hostile }), { maxLength: 2 });
  fc.assert(
    fc.property(hostile, hostile, hostile, rows, (domain, message, target, planned) => {
      const secret = {
        updated: false,
        stateWritten: false,
        name: 'DOCS_URL',
        target,
        reason: message,
      };
      const facts = {
        status: 'failed',
        changed: false,
        domain,
        jobId: target,
        reason: message,
        secret,
        planned,
      } as const;
      const failed = {
        ...BASE,
        ...facts,
        error: { code: 'config', message, hint: `${domain}\n${target}` },
      } as const;
      for (const mode of ['export', 'refresh', 'rollback'] as const) {
        const { tags, attributes, prose } = show(
          publishPresentation.summary({ ...failed, mode }, NOW),
        );
        expect([...tags].filter((tag) => !PLAIN.includes(tag))).toEqual([]);
        expect([...attributes].filter((name) => !['class', 'style'].includes(name))).toEqual([]);
        expect(prose).not.toContain('@acme');
      }
    }),
    { numRuns: process.env['SOAK'] ? 3000 : 100 },
  );
});
