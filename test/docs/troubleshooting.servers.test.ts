import { describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../emulator/src/faults.ts';
import { MAX_ATTEMPTS } from '../../src/http/retries.ts';
import { manifestsOf } from '../support/cluster/guide.ts';
import { ADMIN_KEY, ASSISTANT_KEY, makeDestination, SECRET_TOKEN } from '../support/make-inputs.ts';
import { ALL_RIGHTS, HOUR_MS, NAME, TARGET } from '../support/world/names.ts';
import { type RunOptions, startWorld, type World } from '../support/world.ts';
import { readText } from './pages.ts';

const PAGE = readText('docs/how-to/troubleshooting.md');
/** The codes of the table about a red refresh, with the advice for each. */
const RED = [...PAGE.matchAll(/^\| (`[^|]+) \| [^|]+ \| ([^|]+) \|$/gm)].flatMap(
  ([, codes = '', advice = '']) =>
    [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => [code, advice] as const),
);
const NEW_KEY = 'svc_newAdminKey0123456789';

/** What a team has after an export: its platform, GitHub, and the key that it has stored. */
class Team implements AsyncDisposable {
  /** Those that the platform accepts. */
  readonly keys: { admin: string; assistant: string };
  readonly world: World;
  stored = ADMIN_KEY;

  private constructor(keys: Team['keys'], world: World) {
    this.keys = keys;
    this.world = world;
  }

  static async start(): Promise<Team> {
    const keys = { admin: ADMIN_KEY, assistant: ASSISTANT_KEY };
    const team = new Team(keys, await startWorld({ platform: { keys } }));
    await team.export();
    // Dates of a secret have whole seconds.
    team.world.clock.advance(60_000);
    return team;
  }

  get #key() {
    return { adminApiKey: this.stored, options: { keys: { admin: this.stored } } };
  }

  export() {
    const { adminApiKey, options } = this.#key;
    return this.world.export({ to: makeDestination(), adminApiKey }, options);
  }

  /** A refresh that is due. */
  refresh(inputs: { exportJobId?: string | undefined } = {}, more: RunOptions = {}) {
    const { adminApiKey, options } = this.#key;
    const due = { refreshBeforeMs: 1000 * HOUR_MS, adminApiKey, ...inputs };
    return this.world.refresh(due, { ...options, ...more });
  }

  /** The platform answers the next requests for a link like this. */
  fail(effect: FaultEffect, times = 1): void {
    this.world.platform.inject({ match: { path: '/bundle', times }, ...effect });
  }

  editLink(): void {
    const value = 'https://docs.example.com/other.tar.gz';
    this.world.github.setSecret(TARGET, { name: NAME, value });
  }

  permit(permissions: typeof ALL_RIGHTS | { secrets: 'write' }): void {
    this.world.github.setToken(SECRET_TOKEN, { permissions });
  }

  [Symbol.asyncDispose]() {
    return this.world[Symbol.asyncDispose]();
  }
}

interface Symptom {
  /** Makes the next refresh fail. */
  readonly cause: (team: Team) => void;
  /** What happens during each pause of it. */
  readonly inPause?: (team: Team) => Promise<unknown>;
  /** What the page says to do before the refresh is run again. */
  readonly advice?: (team: Team) => unknown;
}

const SYMPTOMS: Readonly<Record<string, Symptom>> = {
  'not-found': {
    cause: (team) => team.fail({ status: 404 }),
    advice: (team) => team.export(),
  },
  integrity: { cause: (team) => team.editLink(), advice: (team) => team.export() },
  forbidden: {
    cause: (team) => team.permit({ secrets: 'write' }),
    advice: (team) => team.permit(ALL_RIGHTS),
  },
  unauthorized: {
    cause: ({ keys }) => {
      keys.admin = NEW_KEY;
    },
    advice: (team) => {
      team.stored = NEW_KEY;
      return team.export();
    },
  },
  'rate-limited': {
    cause: (team) => team.fail({ status: 429, headers: { 'retry-after': '600' } }),
  },
  network: { cause: (team) => team.fail({ status: 503 }, MAX_ATTEMPTS) },
  protocol: { cause: (team) => team.fail({ status: 200, body: 'no link' }) },
  conflict: {
    cause: (team) => team.fail({ status: 503 }),
    inPause: (team) => team.refresh(),
  },
};

describe('the table about a red refresh', () => {
  it('It has every code for which there is a scenario', () => {
    expect(RED.map(([code]) => code).sort()).toEqual(Object.keys(SYMPTOMS).sort());
  });

  it.each(RED)('After %s, a refresh works again if a person does this: %s', async (code) => {
    await using team = await Team.start();
    const { world } = team;
    const { cause, inPause, advice } = SYMPTOMS[code] ?? { cause: () => expect.fail(code) };
    cause(team);
    const sleep = async () => void (await inPause?.(team));
    const failed = await team.refresh({}, { clock: { ...world.clock, sleep } });
    expect(failed.error?.code, failed.log.text()).toBe(code);
    world.clock.advance(60_000);
    await advice?.(team);
    const { error, facts } = await team.refresh();
    expect([error?.message, facts.changed]).toEqual([undefined, true]);
    expect((await fetch(world.secret() ?? 'no secret')).status).toBe(200);
  });

  it('A refresh says until when the stored link works, unless a person has changed it', async () => {
    await using team = await Team.start();
    team.fail({ status: 404 });
    expect((await team.refresh()).error?.message).toContain('The stored link works until');
    team.world.clock.advance(60_000);
    team.editLink();
    const { error, facts } = await team.refresh();
    expect(error?.message).not.toContain('The stored link');
    expect(facts.storedLinkExpiresAt).toBeUndefined();
  });
});

describe('the advice after the key was rotated', () => {
  it('A refresh with the id of the last export keeps that export, and the next refresh trusts its state', async () => {
    await using team = await Team.start();
    const { exportJobs } = team.world.platform;
    const [{ jobId } = { jobId: '' }] = exportJobs;
    team.keys.admin = NEW_KEY;
    team.stored = NEW_KEY;
    expect((await team.refresh()).error?.code).toBe('integrity');
    await team.refresh({ exportJobId: jobId });
    expect((await team.refresh()).facts).toMatchObject({ changed: true, jobId });
    expect(exportJobs).toHaveLength(1);
  });
});

describe('the advice for pods that answer 404', () => {
  it('The log that the page names is of a container in the manifests of the guide', () => {
    const [, namespace, name, container] =
      /kubectl --namespace (\S+) logs deployment\/(\S+) --container ([\w-]+)/.exec(PAGE) ?? [];
    expect(manifestsOf('deliver-to-kubernetes.md', 'Deployment')).toMatchObject([
      {
        metadata: { namespace, name },
        spec: { template: { spec: { initContainers: [{ name: container }] } } },
      },
    ]);
  });
});
