import { describe, expect, it } from 'vitest';
import { CourierError } from '../../src/errors.ts';
import { readInputs } from '../../src/inputs/read.ts';

const GIVEN = {
  mode: 'export',
  'base-url': 'https://api.docs.example.com',
  'admin-api-key': 'svc_adminKeyForTests0123456789',
  domain: 'docs.example.com',
  'github-token': 'ghs_workflowTokenForTests0123456789abc',
};

function read(inputs: Readonly<Record<string, string>>, takesNotices = true) {
  const all: Readonly<Record<string, string>> = { ...GIVEN, ...inputs };
  const source = { value: (name: string) => all[name] ?? '', unknownNames: () => [] };
  return readInputs(source, { repository: 'acme/docs', workspace: '/workspace', takesNotices });
}

function refusal(inputs: Readonly<Record<string, string>>, takesNotices = true): string {
  try {
    read(inputs, takesNotices);
  } catch (error) {
    if (error instanceof CourierError) return error.message;
    throw error;
  }
  return '';
}

describe('publish and publisher', () => {
  it('publish is off and timeout 30m when not given; with publish timeout is 60m', () => {
    expect(read({})).toMatchObject({ content: { kind: 'off' }, timeoutMs: 1_800_000 });
    const trigger = { publish: 'trigger', 'project-id': 'p1' };
    expect(read(trigger)).toMatchObject({
      content: { kind: 'trigger', projectId: 'p1' },
      timeoutMs: 3_600_000,
      domain: 'docs.example.com',
      projectId: undefined,
    });
    expect(read({ ...trigger, timeout: '30m' })).toMatchObject({ timeoutMs: 1_800_000 });
    const wait = { publish: 'wait', publisher: 'acme-docs' };
    expect(read(wait)).toMatchObject({ content: { kind: 'wait', publisher: 'acme-docs' } });
  });

  it.each([
    [{ publish: 'trigger' }, 'project-id is missing: publish: trigger publishes this project'],
    [{ publish: 'trigger', 'project-id': 'p1', publisher: 'acme-docs' }, 'publisher is not read with publish: trigger'],
    [{ publish: 'wait' }, 'publisher is missing'],
    [{ publish: 'wait', publisher: 'acme-docs', 'github-token': '' }, 'github-token is missing'],
    [{ publish: 'wait', publisher: 'github-actions' }, 'every workflow acts as github-actions'],
    [{ publish: 'wait', publisher: 'Acme-Docs[bot]' }, 'the slug of a GitHub App'],
    [{ publish: 'trigger', 'project-id': 'p1', timeout: '0s', 'on-timeout': 'detach' }, 'timeout: 0s cannot be used'],
    [{ publish: 'trigger', 'project-id': 'p1', 'export-job-id': 'job-1' }, 'export-job-id attaches to an export'],
    [{ publish: 'now' }, 'off, trigger, wait'],
  ])('%j is refused', (inputs, said) => {
    expect(refusal(inputs)).toContain(said);
  });

  it('Outside of GitHub Actions wait and publisher are refused, and trigger works', () => {
    expect(refusal({ publish: 'wait', publisher: 'acme-docs' }, false)).toContain('write publish: trigger');
    expect(refusal({ publish: 'wait', publisher: 'acme-docs', 'github-token': '' }, false)).not.toContain(
      'github-token',
    );
    expect(refusal({ publisher: 'acme-docs' }, false)).toContain('publisher works on GitHub Actions only');
    expect(read({ publish: 'trigger', 'project-id': 'p1' }, false)).toMatchObject({ content: { kind: 'trigger' } });
  });
});
