import { describe, expect, it } from 'vitest';
import { type PublishFacts, publishPresentation } from '../../src/publish/summary.ts';
import type { Report } from '../../src/run/report.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const URL = 'https://storage.example.com/a.tar.gz?X-Signature=canary-0123456789';

function reportOf(facts: Partial<Report<PublishFacts>>): Report<PublishFacts> {
  const report = {
    version: 1,
    mode: 'export',
    status: 'completed',
    startedAt: '2026-03-01T11:00:00Z',
    elapsedMs: 1,
  } as const;
  return { ...report, domain: 'docs.example.com', jobId: 'job-1', ...facts };
}

function summaryOf(facts: Partial<Report<PublishFacts>>): string {
  return publishPresentation.summary(reportOf(facts), NOW);
}

function closingOf(facts: Partial<Report<PublishFacts>>): readonly string[] {
  return publishPresentation.closing?.(reportOf(facts), NOW) ?? [];
}

const WRITTEN = {
  updated: true,
  name: 'DOCS_URL',
  target: 'repository acme/app',
  stateWritten: true,
};
const K8S = [{ destination: 'k8s:docs/site#link', written: true }];
const BUNDLE = {
  format: 'tar.gz',
  bytes: 1,
  sha256: 'ab',
  pages: 1,
  files: 1,
  unpackedBytes: 1,
  resumed: 0,
} as const;

const SERVED = '[`https://acme.github.io/handbook/`](https://acme.github.io/handbook/)';

describe('the summary of an export', () => {
  it('The summary of an export shows site, job, duration, both forms of the expiry, and the secret, but never the link', () => {
    const summary = summaryOf({
      origin: 'started',
      jobElapsedMs: 65_000,
      bundleUrl: URL,
      expiresAt: '2026-03-02T14:30:00Z',
      delivery: WRITTEN,
    });
    expect(summary).toContain('## ✅ Export of docs.example.com: completed');
    expect(summary).toContain('- **Export job**: `job-1` (started by this run)');
    expect(summary).toContain('- **Followed for**: 1 min 5 s');
    expect(summary).toContain('- **Link expires**: 2026-03-02 14:30 UTC (in 1 d 2 h)');
    expect(summary).toContain('- **Secret**: written to `DOCS_URL` of repository acme/app');
    expect(summary).toContain('**Next**');
    expect(summary).not.toContain('canary');
  });

  it.each([
    ['https://acme.github.io/handbook/', { sitePath: 'site' }, SERVED],
    ['https://acme.github.io/handbook/', {}, undefined],
    [undefined, { sitePath: 'site' }, undefined],
    ['http://docs.example.com/a`b/', { sitePath: 'site' }, '``http://docs.example.com/a`b/``'],
  ])(
    'With served-at %s and the site %j the summary has the row "Served at" %s',
    (servedAt, site, row) => {
      const summary = summaryOf({ servedAt, bundle: { ...BUNDLE, ...site } });
      const [, shown] = /^- \*\*Served at\*\*: (.*)$/m.exec(summary) ?? [];
      expect(shown).toBe(row);
    },
  );

  it('The summary says what readers have, until when, what changed and what is next, in this order', () => {
    const site = { jobId: 'job-0', pages: 1, files: 1, bytes: 1 };
    const assets = { added: 0, changed: 0, removed: 0 };
    const summary = summaryOf({
      expiresAt: '2026-03-02T14:30:00Z',
      delivery: WRITTEN,
      live: {
        url: 'https://docs.example.com',
        live: true,
        since: 'merge',
        sinceTime: '2026-03-01T12:00:00.000Z',
        rounds: 1,
        pages: [{ path: '/', outcome: 'live' }],
      },
      comparison: {
        version: 1,
        basis: 'content',
        from: site,
        to: { ...site, jobId: 'job-1' },
        added: [],
        changed: [],
        moved: [],
        removed: [],
        lost: [],
        unchanged: 1,
        sections: [],
        assets,
      },
      exports: [{ job: 'job-1', live: true }],
    });
    const parts = [
      '**Secret**',
      '**Link expires**',
      '**Live**',
      '### Changes',
      '**Next**',
      '**Export job**',
      '### Published site',
      '### What is live',
    ];
    const places = parts.map((part) => summary.indexOf(part));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('The last lines of the log say where the link is, until when it works, and what comes next', () => {
    const lines = closingOf({
      to: 'file:/docs/link.txt',
      expiresAt: '2026-03-02T14:30:00Z',
      delivery: WRITTEN,
    });
    expect(lines[0]).toBe('Link: written to file:/docs/link.txt');
    expect(lines[1]).toBe('Link works until: 2026-03-02 14:30 UTC (in 1 d 2 h)');
    expect(lines[2]).toMatch(/^Next: deploy with bundle-url .* and keep the link fresh\.$/);
    expect(lines.join('')).not.toMatch(/\*\*|`|\]\(/);
  });

  it.each<Partial<Report<PublishFacts>>>([
    { status: 'failed', error: { code: 'network', message: 'No.' } },
    { status: 'detached' },
    { planned: [] },
  ])('A run that has made nothing has no such lines: %j', (facts) => {
    expect(closingOf(facts)).toEqual([]);
  });

  it('If pods read the link from a Secret and none is restarted, the next step is the command that restarts them', () => {
    const facts = { to: 'k8s:docs/site#link', delivery: WRITTEN };
    const command = 'kubectl --namespace docs rollout restart deployment/NAME';
    expect(summaryOf(facts)).toContain(`\`${command}\``);
    expect(closingOf(facts).at(-1)).toContain(command);
    const rollout = { namespace: 'docs', workloads: [], elapsedMs: 1 };
    expect(summaryOf({ ...facts, rollout })).not.toContain(command);
  });

  it('If a rollback or another job changes what is in a Secret and no pod is restarted, the next step is the same command', () => {
    const delivery = { ...WRITTEN, destinations: K8S };
    const facts = { to: 'k8s:docs/site#link', delivery, changed: true } as const;
    const command = 'kubectl --namespace docs rollout restart deployment/NAME';
    const nextOf = (more: Partial<Report<PublishFacts>>) => closingOf({ ...facts, ...more }).at(-1);
    expect(nextOf({ mode: 'rollback' })).toMatch(
      new RegExp(`^Next: restart the pods.*${command}.*; then correct the`),
    );
    expect(nextOf({ mode: 'refresh', formerJobId: 'job-0' })).toContain(command);
    expect(nextOf({ mode: 'refresh' })).not.toMatch(/restart|later step/);
  });

  it.each([
    ['Site', { sitePath: '/home/me/site' }, '/home/me/site'],
    ['Archive', { path: '/home/me/docs.tar.gz' }, '/home/me/docs.tar.gz'],
  ])(
    'If the link of an export is not written anywhere, the next step is to deploy what it made: %s',
    (label, made, path) => {
      const lines = closingOf({
        bundle: { ...BUNDLE, ...made },
        bundleUrl: URL,
        expiresAt: '2026-03-02T14:30:00Z',
      });
      expect(lines[0]).toBe(`${label}: ${path}`);
      expect(lines.at(-1)).toBe(`Next: deploy ${path}.`);
    },
  );

  it('A run that only makes a folder says nothing about a link, a secret or an expiry', () => {
    const facts = { keepsSite: true, bundleUrl: URL, expiresAt: '2026-03-02T14:30:00Z' };
    const made = { ...facts, bundle: { ...BUNDLE, sitePath: '/home/me/site' } };
    expect(closingOf(made).join('\n')).not.toMatch(/link|secret/i);
    expect(summaryOf(made)).not.toMatch(/link|secret|expires/i);
    expect(
      publishPresentation.leaves?.({ keepsSite: true, stage: 'finished', jobId: 'job-1' }),
    ).toBe('Export job job-1 has finished. Its site was not written.');
    expect(summaryOf({ ...made, to: 'github:secret/URL' })).toContain('**Link expires**');
  });

  it('A run that only writes an image says nothing about a link, even if it downloads the bundle by one', () => {
    const to = 'image:registry.example.com/docs:latest';
    const image = {
      reference: 'registry.example.com/docs@sha256:1',
      tag: 'registry.example.com/docs:latest',
    };
    const destinations = [{ destination: to, written: true }];
    const facts = {
      to,
      delivery: { ...WRITTEN, destinations },
      bundleUrl: URL,
      expiresAt: '2026-03-02T14:30:00Z',
    };
    const moved = { ...facts, image: { ...image, unchanged: false } };
    expect(closingOf(moved).join('\n')).not.toMatch(/link/i);
    expect(closingOf(moved).at(-1)).toContain('Next: deploy the image');
    expect(summaryOf(moved)).not.toMatch(/\*\*Link/);
    expect(closingOf({ ...facts, image: { ...image, unchanged: true } }).at(-1)).toMatch(
      /^Next: nothing until the next/,
    );
    const both = { ...moved, to: `github:secret/URL, ${to}` };
    expect(closingOf(both)).toContain('Link: written to github:secret/URL');
    expect(closingOf(both).at(-1)).toContain('keep the link fresh');
  });

  it('The summary of an export says when a page count was reported before the end', () => {
    expect(summaryOf({ pageCount: 39, countedAt: 0.725 })).toContain(
      '- **Pages**: 39 pages when last reported, at 72 %',
    );
    expect(summaryOf({ pageCount: 56, countedAt: 1 })).toContain('- **Pages**: 56 pages');
    expect(summaryOf({ pageCount: 1 })).toContain('- **Pages**: 1 page');
    expect(summaryOf({})).not.toContain('**Pages**');
  });

  it('The summary of an export without a secret says that none was requested', () => {
    expect(summaryOf({ bundleUrl: URL })).toContain('- **Secret**: not asked for');
    const error = { code: 'network', message: 'No.' } as const;
    expect(summaryOf({ to: 'DOCS_URL', status: 'failed', error })).toContain(
      '- **Secret**: not written',
    );
  });

  it('The summary of a dry run says first that nothing was exported', () => {
    const planned = [
      { action: 'start an export', target: 'POST https://api.example.com/v1/static-export/jobs' },
    ];
    const summary = summaryOf({ planned });
    expect(summary.split('\n')[0]).toBe('## 🧪 Dry run: nothing was exported');
    expect(summary).not.toContain('✅');
  });

  it('The summary of an export gives the next step in one sentence, without the path of a page that a copy lacks', () => {
    const ends = [{}, { delivery: WRITTEN }, { planned: [] }, { status: 'detached' }] as const;
    for (const facts of ends) {
      const next = summaryOf(facts).match(/^\*\*Next\*\*: .*$/gm);
      expect(next).toHaveLength(1);
      expect(next?.[0]).toMatch(/\.$/);
      expect(next?.[0]).not.toMatch(/docs\/|\.md/);
    }
  });

  it('The summary of an export has no table without headings', () => {
    expect(summaryOf({ bundleUrl: URL, planned: [] })).not.toMatch(/^\|[ |]*\|$/m);
  });

  it('The summary says why the secret was not written and, if there is a job, how to attach', () => {
    const delivery = {
      updated: false,
      name: 'S',
      target: 'repository a/b',
      stateWritten: false,
      reason: 'no permission',
    };
    const error = {
      code: 'forbidden',
      message: 'POST x answered 403.',
      hint: 'Grant it:\nwith:\n  a: b',
    } as const;
    const summary = summaryOf({ status: 'failed', error, delivery, bundleUrl: URL });
    expect(summary).toContain('not written to `S` of repository a/b: no permission');
    expect(summary).toContain('```yaml\nwith:\n  a: b\n```');
    expect(summary).toContain('with `export-job-id: job-1`');
  });

  it.each(['  --publish', 'docs-courier refresh --to file:link', 'export TOKEN=VALUE'])(
    'The line %s of a hint is shown as a command',
    (line) => {
      const error = { code: 'config', message: 'No.', hint: `Run this:\n${line}` } as const;
      expect(summaryOf({ status: 'failed', error })).toContain(`\`\`\`sh\n${line}`);
    },
  );

  it('The summary says once how to continue after detaching, and shows no duration of zero', () => {
    const summary = summaryOf({
      status: 'detached',
      reason: 'Attach with export-job-id: job-1',
      jobElapsedMs: 0,
    });
    expect(summary.match(/export-job-id/g)).toHaveLength(1);
    expect(summary).not.toContain('Followed for');
  });

  it.each(['job-failed', 'checks-failed'] as const)(
    'The summary offers no job to attach to after %s: that would fail again',
    (code) => {
      const summary = summaryOf({ status: 'failed', error: { code, message: 'It failed.' } });
      expect(summary).not.toContain('export-job-id');
    },
  );
});
