import { describe, expect, it } from 'vitest';
import { type Given, problemOf, readExport, type Where } from './reading.ts';

const WORKFLOW = { 'github-token': 'ghs_workflowTokenForTests0123456789abc' };

const read = (given: Given, where: Where = { takesNotices: true }) =>
  readExport({ ...WORKFLOW, ...given }, where);
const refusal = (given: Given, where: Where = { takesNotices: true }) =>
  problemOf({ ...WORKFLOW, ...given }, where);

describe('publish and publisher', () => {
  it('Publishing is not asked for and timeout is 30m when publish is not given; with publish: true timeout is 60m', () => {
    expect(read({})).toMatchObject({ content: { publish: undefined }, timeoutMs: 1_800_000 });
    expect(read({ publish: 'false' })).toMatchObject({
      content: { publish: false },
      timeoutMs: 1_800_000,
    });
    const publish = { publish: 'true', 'project-id': 'p1' };
    expect(read({ ...publish, timeout: '30m' })).toMatchObject({ timeoutMs: 1_800_000 });
    const content = { publish: true, projectId: 'p1' };
    const byDomain = {
      content,
      timeoutMs: 3_600_000,
      domain: 'docs.example.com',
      projectId: undefined,
    };
    expect(read(publish)).toMatchObject(byDomain);
    expect(read({ ...publish, domain: '' })).toMatchObject({
      content,
      domain: undefined,
      projectId: 'p1',
    });
    expect(read({ publisher: 'acme-docs' })).toMatchObject({ content: { publisher: 'acme-docs' } });
  });

  it.each([
    [{ publish: 'trigger', 'project-id': 'p1' }, 'true or false'],
    [{ publish: 'wait', publisher: 'acme-docs' }, 'true or false'],
    [{ publish: 'off' }, 'true or false'],
    [{ publish: 'true' }, 'project-id is missing: publish: true publishes this project'],
    [
      { publish: 'true', 'project-id': 'p1', publisher: 'acme-docs' },
      'publisher is read in runs on events of that App',
    ],
    [{ publisher: 'github-actions' }, 'every workflow acts as github-actions'],
    [
      { publish: 'true', 'project-id': 'p1', timeout: '0s', 'on-timeout': 'detach' },
      'timeout: 0s cannot be used',
    ],
    [
      { timeout: '0s' },
      'timeout: 0s starts an export and does not wait for it, which needs on-timeout: detach',
    ],
  ])('%j is refused', (inputs, said) => {
    expect(refusal(inputs)).toContain(said);
  });

  it('With a job to attach to, a step with publish: true publishes nothing again', () => {
    const attached = read({ publish: 'true', 'project-id': 'p1', 'export-job-id': 'job-1' });
    expect(attached).toMatchObject({ exportJobId: 'job-1', content: { publish: false } });
    expect(attached).toMatchObject({ timeoutMs: 1_800_000 });
    const publisher = { publish: 'true', publisher: 'acme-docs', 'export-job-id': 'job-1' };
    expect(read(publisher)).toMatchObject({ content: { publish: false, publisher: 'acme-docs' } });
  });

  it('timeout: 0s is allowed with on-timeout: detach, and with a job to attach to', () => {
    expect(read({ timeout: '0s', 'on-timeout': 'detach' })).toMatchObject({ timeoutMs: 0 });
    expect(read({ timeout: '0s', 'export-job-id': 'job-1' })).toMatchObject({ timeoutMs: 0 });
  });

  it('Outside of GitHub Actions publisher is refused, and publish: true works', () => {
    expect(refusal({ publisher: 'acme-docs' }, { takesNotices: false })).toContain(
      'publisher works on GitHub Actions only',
    );
    expect(read({ publish: 'true', 'project-id': 'p1' }, { takesNotices: false })).toMatchObject({
      content: { publish: true },
    });
  });
});
