import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fieldOf, parseJson } from '../../src/ground/text/json.ts';
import type { ExportInputs, RollbackInputs } from '../../src/inputs/inputs.ts';
import type { ImageAddress } from '../../src/stores/registry/address.ts';
import { expectError } from './failure.ts';
import { bundleInputs } from './make-inputs.ts';
import { TokenServer } from './small-servers/token-server.ts';
import { BUNDLE } from './world/names.ts';
import { startWorld, type World } from './world.ts';

/** A registry, the real one or a small one. */
interface AnyRegistry extends AsyncDisposable {
  readonly host: string;
}

type StartRegistry = (options?: { readonly login?: TokenServer }) => Promise<AnyRegistry>;

export const REPOSITORY = 'acme/docs';

/** The one user of the login service that `startLogin` starts, who may pull and push. */
export const COURIER = { user: 'courier', password: 'correct-horse-battery' } as const;

export function startLogin(): Promise<TokenServer> {
  return TokenServer.start({ courier: { password: COURIER.password, actions: 'pull,push' } });
}

/** What a run needs for an image: the destination, and the variables of the environment. */
export function imageRun(
  host: string,
  world: World,
  login?: { readonly user: string; readonly password: string },
) {
  const address: ImageAddress = {
    scheme: 'image',
    registry: host,
    repository: REPOSITORY,
    tag: 'latest',
  };
  const config = join(world.root, 'docker');
  mkdirSync(config, { recursive: true });
  const auth = login && Buffer.from(`${login.user}:${login.password}`).toString('base64');
  writeFileSync(
    join(config, 'config.json'),
    JSON.stringify({ auths: auth === undefined ? {} : { [host]: { auth } } }),
  );
  return {
    inputs: {
      to: {
        addresses: [address],
        credentials: { secretToken: undefined, workflowToken: undefined },
      },
      bundle: bundleInputs({ verify: 'report' }),
    },
    options: (runId: string, eventName = 'push') => ({
      env: { DOCKER_CONFIG: config },
      run: { runId },
      eventName,
    }),
  };
}

/** A world whose site a test changes. */
export async function startImageWorld() {
  const site: Record<string, string> = {
    'index.md': '# Docs\n\nHello.',
    'install.md': '# Install\n\nOne command.',
  };
  const world = await startWorld({ platform: { sites: { acme: site } }, github: false });
  return {
    world,
    publish: (file: string, text: string) => {
      site[file] = text;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** An image world in front of a registry. A minute passes after each run. */
export async function startImageRun<Registry extends AsyncDisposable & { readonly host: string }>(
  starting: Promise<Registry>,
) {
  await using parts = new AsyncDisposableStack();
  const registry = parts.use(await starting);
  const site = parts.use(await startImageWorld());
  const all = parts.move();
  const { world, publish } = site;
  const { inputs, options } = imageRun(registry.host, world);
  const beforeLater = async <Result>(ended: Promise<Result>) => {
    const result = await ended;
    world.clock.advance(60_000);
    return result;
  };
  return {
    registry,
    world,
    publish,
    inputs,
    options,
    export: (runId: string, more: Partial<ExportInputs> = {}, eventName?: string) =>
      beforeLater(world.export({ ...inputs, ...more }, options(runId, eventName))),
    exportWithLogin: (runId: string) => {
      const own = imageRun(registry.host, world, COURIER);
      return beforeLater(world.export(own.inputs, own.options(runId)));
    },
    rollback: (runId: string, more: Partial<RollbackInputs> = {}) =>
      beforeLater(world.rollback({ to: inputs.to, ...more }, options(runId, 'workflow_dispatch'))),
    pull: () => pull(registry.host, 'latest'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export async function manifestAt(
  host: string,
  reference: string,
  headers: Record<string, string> = {},
) {
  const accept =
    'application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json';
  const reply = await fetch(`http://${host}/v2/${REPOSITORY}/manifests/${reference}`, {
    headers: { accept, ...headers },
  });
  if (reply.status === 404) return undefined;
  const text = await reply.text();
  return {
    digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
    json: parseJson(text),
    text,
  };
}

/** The image of a platform, as a runtime chooses it. */
export async function imageFor(architecture: string, host: string, reference: string) {
  const index = await manifestAt(host, reference);
  const manifests = fieldOf(index?.json, 'manifests');
  const all: readonly unknown[] = Array.isArray(manifests) ? manifests : [];
  const own = all.find((one) => fieldOf(one, 'platform', 'architecture') === architecture);
  const manifest = await manifestAt(host, String(fieldOf(own, 'digest')));
  const config = parseJson(
    (await blobAt(host, fieldOf(manifest?.json, 'config', 'digest'))).toString(),
  );
  return { manifest, config, layer: fieldOf(manifest?.json, 'layers', '0', 'digest') };
}

async function blobAt(host: string, digest: unknown): Promise<Buffer> {
  const reply = await fetch(`http://${host}/v2/${REPOSITORY}/blobs/${digest}`);
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

/** The state under the tag. */
export async function stateAt(host: string) {
  const manifest = await manifestAt(host, 'latest.state');
  const text = fieldOf(manifest?.json, 'annotations', 'io.github.docs-courier.state');
  return parseJson(String(text ?? '')) ?? undefined;
}

/** Every file below a folder, with its content. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(
    files
      .sort()
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
  );
}

/** The files of an image, as tar unpacks its only layer. */
export async function pull(host: string, reference: string): Promise<Record<string, string>> {
  const image = await imageFor('amd64', host, reference);
  const layer = await blobAt(host, image.layer);
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    const diffId = `sha256:${createHash('sha256').update(gunzipSync(layer)).digest('hex')}`;
    expect(fieldOf(image.config, 'rootfs', 'diff_ids')).toEqual([diffId]);
    writeFileSync(join(folder, 'layer'), layer);
    mkdirSync(join(folder, 'site'));
    execFileSync('tar', ['-xzf', join(folder, 'layer'), '-C', join(folder, 'site')]);
    return filesIn(join(folder, 'site'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function put(host: string, reference: string, text: string): Promise<Response> {
  const headers = { 'content-type': String(fieldOf(parseJson(text), 'mediaType')) };
  return fetch(`http://${host}/v2/${REPOSITORY}/manifests/${reference}`, {
    method: 'PUT',
    headers,
    body: text,
  });
}

async function putTag(host: string, tag: string, text: string): Promise<void> {
  expect((await put(host, tag, text)).status).toBe(201);
}

/** Of the images in an index. */
const ARCHITECTURES = ['amd64', 'arm64', 'ppc64le', 's390x'];

/**
 * Someone else's index with the annotations and the configurations of the live one, and another
 * layer. Gives its digest.
 */
async function pushLookalike(host: string, tag = 'latest'): Promise<string> {
  const bytes = gzipSync('not the site');
  const layer = { digest: digestOf(bytes), size: bytes.length };
  const opened = await fetch(`http://${host}/v2/${REPOSITORY}/blobs/uploads/`, { method: 'POST' });
  const location = new URL(opened.headers.get('location') ?? '', `http://${host}`);
  location.searchParams.set('digest', layer.digest);
  expect((await fetch(location, { method: 'PUT', body: bytes })).status).toBe(201);
  let index = (await manifestAt(host, 'latest'))?.text ?? '';
  for (const architecture of ARCHITECTURES) {
    const { manifest, layer: own } = await imageFor(architecture, host, 'latest');
    const size = fieldOf(manifest?.json, 'layers', '0', 'size');
    const text = (manifest?.text ?? '')
      .replace(String(own), layer.digest)
      .replace(`"size":${size}`, `"size":${layer.size}`);
    await putTag(host, digestOf(text), text);
    index = index
      .replace(manifest?.digest ?? 'none', digestOf(text))
      .replace(`"size":${manifest?.text.length}`, `"size":${text.length}`);
  }
  await putTag(host, tag, index);
  return digestOf(index);
}

/**
 * The emulator writes the time of the build into each page: from now on each export has the same
 * bytes.
 */
export function repeatBundle(
  { platform }: World,
  {
    bundleUrl,
    expiresAt,
  }: { readonly bundleUrl?: string | undefined; readonly expiresAt?: string | undefined },
): void {
  platform.inject({ match: { ...BUNDLE, times: 9 }, status: 200, body: { bundleUrl, expiresAt } });
}

function digestOf(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The destination of a run, under another tag. */
function underNext({ to }: ReturnType<typeof imageRun>['inputs']) {
  return { ...to, addresses: to.addresses.map((one) => ({ ...one, tag: 'next' })) };
}

/**
 * What a run does with an image, on any registry: the small server of the tests is right if the
 * real one agrees.
 */
export function describeRegistry(name: string, start: StartRegistry): void {
  describe(`an image in ${name}`, () => {
    test('The image has the files of the bundle as its root, and no link, no key and no name of a person', async () => {
      await using run = await startImageRun(start());
      const { registry, world } = run;
      const bundle = bundleInputs({ extractTo: join(world.workspace, 'out') });
      const { facts, error } = await run.export('1', { bundle });
      expect(error).toBeUndefined();
      const manifest = await manifestAt(registry.host, 'latest');
      expect(facts.image).toEqual({
        reference: `${registry.host}/${REPOSITORY}@${manifest?.digest}`,
        tag: `${registry.host}/${REPOSITORY}:latest`,
        unchanged: false,
      });
      expect(await run.pull()).toEqual(filesIn(join(world.workspace, 'out')));
      expect(fieldOf(manifest?.json, 'annotations')).toMatchObject({
        'org.opencontainers.image.version': facts.jobId,
        'org.opencontainers.image.source': 'https://github.com/acme/docs',
      });
      const state = await manifestAt(registry.host, 'latest.state');
      const images = await Promise.all(
        ARCHITECTURES.map((one) => imageFor(one, registry.host, 'latest')),
      );
      const pushed = images.flatMap((image) => [
        image.manifest?.text,
        JSON.stringify(image.config),
      ]);
      for (const text of [manifest?.text, state?.text, ...pushed]) {
        expect(text).not.toContain('octocat');
        expect(text).not.toContain(world.platform.keys.admin);
        expect(text).not.toContain('sig=');
        expect(text).not.toContain('/storage/');
      }
    });

    test('A runtime on each architecture finds an image of its platform, with the same layer', async () => {
      await using run = await startImageRun(start());
      const { registry } = run;
      expect((await run.export('1')).error).toBeUndefined();
      const images = await Promise.all(
        ARCHITECTURES.map((one) => imageFor(one, registry.host, 'latest')),
      );
      const [first] = images;
      expect(first?.config).toMatchObject({ os: 'linux', created: '1970-01-01T00:00:00.000Z' });
      expect(first?.layer).toMatch(/^sha256:/);
      const expected = ARCHITECTURES.map((architecture) => ({
        config: { ...Object(first?.config), architecture },
        layer: first?.layer,
      }));
      expect(images.map(({ config, layer }) => ({ config, layer }))).toEqual(expected);
    });

    test('An export in which only the build time of each page differs pushes nothing and leaves the tag, and the state names it', async () => {
      await using run = await startImageRun(start());
      const { registry } = run;
      const first = await run.export('1');
      const before = await manifestAt(registry.host, 'latest');
      const second = await run.export('2');
      expect(second.error).toBeUndefined();
      expect(second.facts.jobId).not.toBe(first.facts.jobId);
      expect(second.facts.bundle?.sha256).not.toBe(first.facts.bundle?.sha256);
      expect(second.facts.image).toEqual({ ...first.facts.image, unchanged: true });
      expect((await manifestAt(registry.host, 'latest'))?.digest).toBe(before?.digest);
      expect(await stateAt(registry.host)).toMatchObject({
        jobId: second.facts.jobId,
        // Exports of the same content are one entry.
        history: [{ job: second.facts.jobId, image: first.facts.image?.reference }],
      });
      expect(second.log.text()).toContain('Unchanged: ');
    });

    test('An image has a stamp that names its export, and keeps it if the content is unchanged and if a rollback restores it', async () => {
      await using run = await startImageRun(start());
      const { world, publish } = run;
      const stamped = { add: ['stamp'] } as const;
      const first = await run.export('1', stamped);
      const stamp = (await run.pull())['docs-courier.json'] ?? '';
      expect(parseJson(stamp)).toMatchObject({
        version: 1,
        exportJobId: first.facts.jobId,
        pages: 2,
      });
      const second = await run.export('2', stamped);
      expect(second.facts.image).toEqual({ ...first.facts.image, unchanged: true });
      expect((await run.pull())['docs-courier.json']).toBe(stamp);
      publish('index.md', '# Docs\n\nA mistake.');
      const third = await run.export('3', stamped);
      const other = parseJson((await run.pull())['docs-courier.json'] ?? '');
      expect(other).toMatchObject({ exportJobId: third.facts.jobId });
      expect(fieldOf(other, 'fingerprint')).not.toBe(fieldOf(parseJson(stamp), 'fingerprint'));
      const requests = world.platform.requests.length;
      const back = await run.rollback('4', stamped);
      expect(back.error).toBeUndefined();
      expect((await run.pull())['docs-courier.json']).toBe(stamp);
      expect(world.platform.requests).toHaveLength(requests);
    });

    test('An image without a stamp is made again for the first export that asks for one', async () => {
      await using run = await startImageRun(start());
      await run.export('1');
      expect(Object.keys(await run.pull())).not.toContain('docs-courier.json');
      const { facts } = await run.export('2', { add: ['stamp'] });
      expect(facts.image?.unchanged).toBe(false);
      expect(Object.keys(await run.pull())).toContain('docs-courier.json');
    });

    test("An index of someone else with this image's annotations and configuration is never unchanged, and enters no history", async () => {
      await using run = await startImageRun(start());
      const { registry, world } = run;
      const first = await run.export('1');
      const foreign = await pushLookalike(registry.host);
      repeatBundle(world, first.facts);
      const second = await run.export('2');
      expect(second.error).toBeUndefined();
      expect(second.facts.image?.unchanged).toBe(false);
      expect((await manifestAt(registry.host, 'latest'))?.digest).not.toBe(foreign);
      expect(Object.keys(await run.pull())).toContain('index.html');
      const { image, exports } = second.facts;
      expect(JSON.stringify([image, exports, await stateAt(registry.host)])).not.toContain(foreign);
      const back = await run.rollback('3');
      expect(back.error?.message).toContain('knows of no export before the live one');
      expect((await manifestAt(registry.host, 'latest'))?.digest).not.toBe(foreign);
    });

    test('An index of someone else under a new tag is not replaced without take-over, whatever its annotations say', async () => {
      await using run = await startImageRun(start());
      const { registry, world, inputs } = run;
      await run.export('1');
      const foreign = await pushLookalike(registry.host, 'next');
      const to = underNext(inputs);
      const jobs = world.platform.exportJobs.length;
      const { error } = await run.export('2', { to });
      const message = expect.stringContaining('an image that no state of Docs Courier names');
      expect(error).toMatchObject({ code: 'config', message });
      expect(world.platform.exportJobs).toHaveLength(jobs);
      expect((await manifestAt(registry.host, 'next'))?.digest).toBe(foreign);
      const taken = await run.export('3', { to: { ...to, takeOver: true } });
      expect(taken.error).toBeUndefined();
      expect((await manifestAt(registry.host, 'next'))?.digest).not.toBe(foreign);
    });

    test('What someone else has put under the tag of the state is not replaced without take-over', async () => {
      await using run = await startImageRun(start());
      const { registry, inputs } = run;
      await run.export('1');
      const foreign = await pushLookalike(registry.host, 'next.state');
      const { error } = await run.export('2', { to: underNext(inputs) });
      expectError(error, { code: 'config', message: 'tag next.state' });
      expect((await manifestAt(registry.host, 'next.state'))?.digest).toBe(foreign);
    });

    test('An index that names a manifest which the registry does not have is refused, and one that it has is given back', async () => {
      await using run = await startImageRun(start());
      const { registry } = run;
      await run.export('1');
      const index = await manifestAt(registry.host, 'latest');
      const missing = (index?.text ?? '').replace(
        /"sha256:[0-9a-f]{64}"/,
        `"sha256:${'0'.repeat(64)}"`,
      );
      const refused = await put(registry.host, 'other', missing);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ errors: [{ code: 'MANIFEST_BLOB_UNKNOWN' }] });
      expect((await put(registry.host, 'other', index?.text ?? '')).status).toBe(201);
      expect((await manifestAt(registry.host, 'other'))?.digest).toBe(index?.digest);
    });

    test('A rollback moves the tag to the digest in the history, without an upload and without a request to the platform', async () => {
      await using run = await startImageRun(start());
      const { registry, world, publish } = run;
      const first = await run.export('1');
      publish('index.md', '# Docs\n\nA mistake.');
      const second = await run.export('2');
      expect(second.error).toBeUndefined();
      expect(second.facts.image?.reference).not.toBe(first.facts.image?.reference);
      const requests = world.platform.requests.length;
      const back = await run.rollback('3');
      expect(back.error).toBeUndefined();
      expect(back.facts).toMatchObject({ jobId: first.facts.jobId, image: first.facts.image });
      expect(world.platform.requests.length).toBe(requests);
      const live = await manifestAt(registry.host, 'latest');
      expect(first.facts.image?.reference.endsWith(live?.digest ?? 'none')).toBe(true);
      expect(back.facts.bundle).toBeUndefined();
    });

    test('A tag that someone else moves during the export ends the run as a conflict, and stays as it is', async () => {
      await using run = await startImageRun(start());
      const { registry, world, publish, inputs, options } = run;
      await run.export('1');
      const first = await manifestAt(registry.host, 'latest');
      publish('index.md', '# Docs\n\nNew.');
      const other = (first?.text ?? '').replace('"schemaVersion":2', '"schemaVersion": 2');
      // The other writer comes while this run waits for its export job.
      let isMoved = false;
      const sleep = async (ms: number, signal?: AbortSignal) => {
        if (!isMoved) await putTag(registry.host, 'latest', other);
        isMoved = true;
        await world.clock.sleep(ms, signal);
      };
      const { error } = await world.export(inputs, {
        ...options('2'),
        clock: { ...world.clock, sleep },
      });
      expect(isMoved).toBe(true);
      expect(error).toMatchObject({ code: 'conflict' });
      expect((await manifestAt(registry.host, 'latest'))?.text).toBe(other);
    });

    test('A registry with a login service gets a token for its one repository', async () => {
      await using login = await startLogin();
      await using run = await startImageRun(start({ login }));
      const { error, log } = await run.exportWithLogin('1');
      expect(error).toBeUndefined();
      const scopes = new Set(
        login.requests.filter(({ user }) => user === 'courier').map(({ scope }) => scope),
      );
      expect([...scopes]).toEqual([`repository:${REPOSITORY}:pull,push`]);
      expect(log.text()).not.toContain(COURIER.password);
    });
  });
}
