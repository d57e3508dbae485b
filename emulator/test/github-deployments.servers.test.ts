import { getOctokit } from '@actions/github';
import { describe, expect, test } from 'vitest';
import { type RepositorySeed, startGitHubEmulator } from '../src/github/emulator.ts';

const REPOSITORY = { owner: 'acme', repo: 'docs' };
const SHA = 'a'.repeat(40);
// As a string, so bodies that GitHub refuses can be sent too.
const PATH: string = 'POST /repos/{owner}/{repo}/deployments';

async function start(seed: Partial<RepositorySeed> = {}) {
  const github = await startGitHubEmulator({
    tokens: {
      own: { kind: 'workflow', permissions: { deployments: 'write' } },
      reader: { kind: 'workflow', permissions: { deployments: 'read' } },
    },
    repositories: [{ fullName: 'acme/docs', ...seed }],
  });
  const { request } = getOctokit('own', { baseUrl: github.url });
  const create = (body: object) => request(PATH, { ...REPOSITORY, required_contexts: [], ...body });
  const report = (id: number, body: object) => request(`${PATH}/{id}/statuses`, { ...REPOSITORY, id, ...body });
  const made = async (body: object = {}) => {
    const { data } = await create({ ref: SHA, auto_merge: false, ...body });
    return Number(data.id);
  };
  const states = () => github.deployments.map(({ statuses }) => statuses.map(({ state }) => state));
  return { github, request, create, report, made, states, [Symbol.asyncDispose]: () => github.close() };
}

describe('deployments of the emulated GitHub', () => {
  test('Deployments are created for a commit, and listed newest first by environment, task and commit', async () => {
    await using api = await start();
    const first = await api.made({ environment: 'docs', payload: { a: 1 }, task: 'docs-courier' });
    await api.made({ environment: 'staging' });
    const third = await api.made({ environment: 'docs', ref: 'b'.repeat(40) });
    const list = (query: object) =>
      api.request('GET /repos/{owner}/{repo}/deployments', { ...REPOSITORY, ...query }).then(({ data }) => data);
    expect((await list({ environment: 'docs' })).map(({ id }) => id)).toEqual([third, first]);
    expect(await list({ task: 'docs-courier', sha: SHA })).toMatchObject([
      { id: first, payload: { a: 1 }, environment: 'docs', production_environment: false },
    ]);
    expect(await list({ environment: 'elsewhere' })).toEqual([]);
  });

  test.each<[string, Partial<RepositorySeed>, object, number]>([
    ['A deployment without a ref', {}, { ref: undefined }, 422],
    ['A deployment for a missing commit', { commits: [] }, {}, 422],
    ['A deployment with a description of more than 140 characters', {}, { description: 'x'.repeat(141) }, 422],
    [
      'A deployment of a commit with failing required checks',
      { checks: 'failing' },
      { required_contexts: undefined },
      409,
    ],
  ])('%s is refused', async (_what, seed, body, status) => {
    await using api = await start(seed);
    await expect(api.create({ ref: SHA, auto_merge: false, ...body })).rejects.toMatchObject({ status });
    expect(api.github.deployments).toEqual([]);
  });

  test('A deployment that would merge first gets 202 and is not created', async () => {
    await using api = await start({ isBehind: true });
    expect((await api.create({ ref: SHA })).status).toBe(202);
    expect(api.github.deployments).toEqual([]);
    expect((await api.create({ ref: SHA, auto_merge: false })).status).toBe(201);
  });

  test('The success of a later deployment makes a deployment inactive, but not in production', async () => {
    await using api = await start();
    for (const environment of ['docs', 'production']) {
      for (let count = 0; count < 2; count += 1) {
        const id = await api.made({ environment });
        await api.report(id, { state: 'in_progress' });
        await api.report(id, { state: 'success', environment_url: 'https://docs.example.com' });
      }
    }
    expect(api.states()).toEqual([
      ['in_progress', 'success', 'inactive'],
      ['in_progress', 'success'],
      ['in_progress', 'success'],
      ['in_progress', 'success'],
    ]);
  });

  test('A deployment status accepts only states and addresses that GitHub accepts', async () => {
    await using api = await start();
    const id = await api.made();
    await expect(api.report(id, { state: 'live' })).rejects.toMatchObject({ status: 422 });
    await expect(api.report(id, { state: 'success', environment_url: 'docs' })).rejects.toMatchObject({ status: 422 });
    await expect(api.report(id + 1, { state: 'success' })).rejects.toMatchObject({ status: 404 });
    expect(api.states()).toEqual([[]]);
  });

  test('Deployments need deployments: write', async () => {
    await using api = await start();
    const { request } = getOctokit('reader', { baseUrl: api.github.url });
    await expect(request(PATH, { ...REPOSITORY, ref: SHA })).rejects.toMatchObject({ status: 403 });
    expect((await request('GET /repos/{owner}/{repo}/deployments', REPOSITORY)).data).toEqual([]);
  });
});
