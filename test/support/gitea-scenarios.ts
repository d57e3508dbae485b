import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/ground/clock.ts';
import { Http } from '../../src/http/http.ts';
import type { GiteaAddress } from '../../src/stores/gitea/address.ts';
import { GiteaStore } from '../../src/stores/gitea/store.ts';
import { UNSEEN } from '../../src/stores/port.ts';
import { expectError, failureOf } from './failure.ts';
import { fakeClock } from './fake-clock.ts';
import type { GiteaSite } from './gitea-site.ts';
import { openStore } from './open-store.ts';
import { recordingLog } from './recording-log.ts';
import { describeStore, type StorePlace } from './store-scenarios.ts';

const NAME = 'DOCS_BUNDLE_URL';
const LINK = 'https://bundles.example.com/site.tar.gz?X-Amz-Signature=0123456789abcdef';

function addressesOf(
  site: GiteaSite,
): Readonly<Record<'repository' | 'organization', GiteaAddress>> {
  return {
    repository: { scheme: 'gitea', scope: 'repository', repository: site.repository, name: NAME },
    organization: {
      scheme: 'gitea',
      scope: 'organization',
      organization: site.organization,
      name: NAME,
    },
  };
}

function storeOf(site: GiteaSite, address: GiteaAddress, token = site.tokens.owner): GiteaStore {
  const http = new Http({
    clock: systemClock,
    log: recordingLog(),
    signal: new AbortController().signal,
    random: () => 0,
  });
  return new GiteaStore({
    address,
    serverUrl: site.url,
    token,
    jobTokens: ['token-of-the-job'],
    http,
  });
}

function folderOf(address: GiteaAddress): string {
  return address.scope === 'organization'
    ? `orgs/${address.organization}`
    : `repos/${address.repository}`;
}

interface Asked {
  readonly status: number;
  readonly body: unknown;
}

async function ask(
  site: GiteaSite,
  method: string,
  path: string,
  { body, token = site.tokens.owner }: { body?: unknown; token?: string } = {},
): Promise<Asked> {
  const reply = await fetch(`${site.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

async function destinationOn(
  site: GiteaSite,
  scope: 'repository' | 'organization',
): Promise<StorePlace> {
  const address = addressesOf(site)[scope];
  const variable = `${folderOf(address)}/actions/variables/${NAME}_STATE`;
  return {
    clock: fakeClock({ now: Date.now() }),
    makeStore: () => storeOf(site, address),
    readLink: () => site.secret(address),
    async readState() {
      const { status, body } = await ask(site, 'GET', variable);
      return status === 200 ? JSON.parse(JSON.stringify(body)).data : undefined;
    },
    async setState(value) {
      // Gitea does not accept an empty value: it must be deleted instead.
      const { status } = await ask(site, value === '' ? 'DELETE' : 'PUT', variable, {
        body: { value },
      });
      expect(status).toBe(204);
    },
    async setLink(data) {
      await ask(site, 'PUT', `${folderOf(address)}/actions/secrets/${NAME}`, { body: { data } });
    },
    requests:
      site.requests &&
      (() => (site.requests?.() ?? []).map((line) => line.replace(/_STATE_\d+$/, '_STATE_N'))),
    parts: {
      open: {
        later: [
          'PUT secrets/GITHUB_TOKEN',
          'GET ',
          'GET secrets',
          'GET variables/X_STATE',
          'GET variables',
        ],
      },
      marks: [
        'POST variables/X_STATE_N',
        'GET secrets',
        'GET variables/X_STATE',
        'POST variables/X_STATE',
      ],
      deliver: {
        later: [
          'POST variables/X_STATE_N',
          'GET secrets',
          'GET variables/X_STATE',
          'PUT secrets/X',
          'GET variables/X_STATE',
          'PUT variables/X_STATE',
        ],
      },
    },
    loseReply: site.loseReply,
    disturb: site.disturb,
    refuse: site.refuse,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Gitea's replies, and how the store handles them: the emulated and the real one must agree. */
export function describeGitea(name: string, start: () => Promise<GiteaSite>): void {
  describeStore(`a repository secret of ${name}`, async () =>
    destinationOn(await start(), 'repository'),
  );
  describeStore(`an organization secret of ${name}`, async () =>
    destinationOn(await start(), 'organization'),
  );

  test(`The state of a repository of ${name} is bound to its id, which stays when it is renamed`, async () => {
    await using site = await start();
    const boundTo = async (repository: string) => {
      const scope = 'repository';
      const store = storeOf(site, { scheme: 'gitea', scope, repository, name: NAME });
      await store.preflight();
      return store.signedAddress;
    };
    const before = await boundTo(site.repository);
    const renamed = `${site.repository}-2`;
    await ask(site, 'PATCH', `repos/${site.repository}`, {
      body: { name: renamed.replace(/^.*\//, '') },
    });
    expect(await boundTo(renamed)).toBe(before);
    expect(before).toMatch(/\/repo\/\d+\/docs_bundle_url$/);
  });

  describe.each(['repository', 'organization'] as const)(
    `the settings of a %s of ${name}`,
    (scope) => {
      test('The settings reply as the documentation of this project says', async () => {
        await using site = await start();
        const folder = `${folderOf(addressesOf(site)[scope])}/actions`;
        const statuses = async (...calls: [string, string, object?][]) => {
          const all: number[] = [];
          for (const [method, path, body] of calls)
            all.push((await ask(site, method, `${folder}/${path}`, { body })).status);
          return all;
        };
        const put = (data: string): [string, string, object] => ['PUT', 'secrets/ONE', { data }];
        expect(await statuses(put('a'), put('b'), ['GET', 'secrets/ONE'])).toEqual([201, 204, 405]);
        expect(
          await statuses(
            ['GET', 'variables/ONE'],
            ['PUT', 'variables/ONE', { value: 'a' }],
            ['POST', 'variables/ONE', { value: 'a' }],
            ['POST', 'variables/ONE', { value: 'b' }],
            ['PUT', 'variables/ONE', { value: 'x\r\ny' }],
            ['PATCH', 'variables/ONE', { value: 'a' }],
            ['PUT', 'variables/ONE', { value: '' }],
          ),
        ).toEqual([404, 404, 201, 409, 204, 405, 422]);
        expect((await ask(site, 'GET', `${folder}/variables/ONE`)).body).toMatchObject({
          name: 'ONE',
          data: 'x\ny',
        });
        expect(
          await statuses(
            ['PUT', 'secrets/GITEA_X', { data: 'a' }],
            ['PUT', 'secrets/GITHUB_TOKEN', { data: 'a' }],
            ['PUT', 'secrets/CI', { data: 'a' }],
            ['PUT', 'secrets/GITHUB_TOKEN', { data: '' }],
            ['POST', 'variables/CI', { value: 'a' }],
          ),
        ).toEqual([400, 400, 400, 422, 400]);
        expect((await ask(site, 'GET', `${folder}/secrets?limit=50&page=1`)).body).toEqual([
          { name: 'ONE', description: '', created_at: expect.any(String) },
        ]);
        expect((await ask(site, 'GET', `${folder}/secrets?limit=50&page=2`)).body).toEqual([]);
      });

      test('The settings have no environment secrets', async () => {
        await using site = await start();
        const folder = folderOf(addressesOf(site)[scope]);
        const { status } = await ask(site, 'PUT', `${folder}/environments/prod/secrets/ONE`, {
          body: { data: 'a' },
        });
        expect(status).toBe(404);
      });

      test('A read-only token is refused before anything is written, and may read', async () => {
        await using site = await start();
        const address = addressesOf(site)[scope];
        expectError(await failureOf(openStore(storeOf(site, address, site.tokens.reader))), {
          code: 'forbidden',
          hint: `the permission write:${scope} and nothing else`,
          httpStatus: 403,
          mayHaveActed: false,
        });
        expect(await site.secret(address)).toBeUndefined();
        const reader = storeOf(site, address, site.tokens.reader);
        await reader.preflight('read');
        expect(await reader.read()).toMatchObject({ state: undefined });
      });

      test.each(['collaborator', 'stranger'] as const)(
        'The token of a %s is refused',
        async (who) => {
          await using site = await start();
          expectError(
            await failureOf(openStore(storeOf(site, addressesOf(site)[scope], site.tokens[who]))),
            { code: 'forbidden', hint: 'owner of' },
          );
        },
      );

      test('An unknown token is refused', async () => {
        await using site = await start();
        const error = await failureOf(
          openStore(storeOf(site, addressesOf(site)[scope], 'f'.repeat(40))),
        );
        expect(error).toMatchObject({ code: 'unauthorized' });
        expect(error.message).not.toContain('ffff');
      });

      test('A write keeps the description of a secret and a variable', async () => {
        await using site = await start();
        const address = addressesOf(site)[scope];
        const folder = `${folderOf(address)}/actions`;
        await ask(site, 'PUT', `${folder}/secrets/${NAME}`, {
          body: { data: 'old', description: 'of the docs' },
        });
        await ask(site, 'POST', `${folder}/variables/${NAME}_STATE`, {
          body: { value: '{}', description: 'not by hand' },
        });
        const store = storeOf(site, address);
        const seen = await openStore(store);
        await store.write({ state: '{"version":2}' }, await store.write({ link: LINK }, seen));
        expect(await site.secret(address)).toBe(LINK);
        expect((await ask(site, 'GET', `${folder}/secrets`)).body).toMatchObject([
          { description: 'of the docs' },
        ]);
        expect((await ask(site, 'GET', `${folder}/variables/${NAME}_STATE`)).body).toMatchObject({
          data: '{"version":2}',
          description: 'not by hand',
        });
      });

      test('The API shows only that a secret exists', async () => {
        await using site = await start();
        const store = storeOf(site, addressesOf(site)[scope]);
        const seen = await openStore(store);
        expect(seen).toEqual({ link: undefined, state: undefined, version: undefined });
        await store.write({ link: LINK }, seen);
        expect(await openStore(store)).toEqual({
          link: {},
          foreignContent: UNSEEN,
          state: undefined,
          version: undefined,
        });
      });
    },
  );

  test(`The token of the job is refused before anything is sent to ${name}`, async () => {
    await using site = await start();
    expectError(
      await failureOf(openStore(storeOf(site, addressesOf(site).repository, 'token-of-the-job'))),
      { code: 'forbidden', message: 'Nothing was sent' },
    );
  });

  test(`A destination that ${name} does not have is not found, with a hint what to check`, async () => {
    await using site = await start();
    const repository: GiteaAddress = {
      scheme: 'gitea',
      scope: 'repository',
      repository: 'ada/none',
      name: NAME,
    };
    const organization: GiteaAddress = {
      scheme: 'gitea',
      scope: 'organization',
      organization: 'none',
      name: NAME,
    };
    for (const address of [repository, organization]) {
      expectError(await failureOf(openStore(storeOf(site, address))), {
        code: 'not-found',
        hint: 'Check the address',
      });
    }
  });
}
