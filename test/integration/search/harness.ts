import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator/platform/emulator.ts';
import type { GitHub } from '../../../src/github/connection.ts';
import { Http } from '../../../src/http/http.ts';
import type { SearchInputs } from '../../../src/inputs/inputs.ts';
import { runSearch } from '../../../src/modes/search/search.ts';
import type { SearchFacts } from '../../../src/modes/search/summary.ts';
import { createPlatformClient } from '../../../src/platform/client.ts';
import { createTransport } from '../../../src/platform/transport.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { makeSearchInputs } from '../../support/make-inputs.ts';
import { makeRun, makeRunContext } from '../../support/make-run.ts';
import { recordingLog } from '../../support/recording-log.ts';

/** A workspace and a RUNNER_TEMP side by side in a new folder, gone when it is disposed of. */
export interface Workspace extends AsyncDisposable {
  /** Holds both folders. */
  readonly root: string;
  readonly path: string;
  readonly runnerTemp: string;
  /** Writes below the workspace and gives the absolute path. */
  write(path: string, text: string): Promise<string>;
}

export async function makeWorkspace(): Promise<Workspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'search-')));
  const [path, runnerTemp] = [join(root, 'workspace'), join(root, 'temp')];
  await Promise.all([mkdir(path), mkdir(runnerTemp)]);
  return {
    root,
    path,
    runnerTemp,
    async write(name, text) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return file;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

/** A site whose pages are told apart by version, language and tag. */
export const SITE = {
  'index.md': '---\ntitle: Welcome\n---\nAcme docs.',
  'install.md':
    '---\ntitle: Install\nversion: v2\nlanguage: en\ntags: [setup]\n---\nInstall the courier with one command.',
  'old/install.md': '---\ntitle: Install\nversion: v1\nlanguage: en\ntags: [setup]\n---\nInstall the courier by hand.',
  'de/install.md': '---\ntitle: Install\nversion: v2\nlanguage: de\n---\nInstall: den Courier installieren.',
  'rotate.md':
    '---\ntitle: Rotate the link\nversion: v2\nlanguage: en\n---\nA bundle link expires. Rotate it, then install again.',
};

export const startSite = (options: Partial<EmulatorOptions> = {}): Promise<Emulator> =>
  startEmulator({ sites: { acme: SITE }, ...options });

export interface SearchStep {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  readonly inputs: Partial<SearchInputs>;
  readonly key?: string | undefined;
}

/** Runs the mode through the real transport on a clock that takes no time. Never throws: the error is part of the result. */
export async function search({ emulator, workspace, inputs, key = emulator.keys.assistant }: SearchStep) {
  const clock = fakeClock();
  const log = recordingLog();
  const { signal } = new AbortController();
  const transport = createTransport({ baseUrl: emulator.url, keys: { assistant: key }, clock, log, signal });
  let told: Partial<SearchFacts> = {};
  const record = (facts: Partial<SearchFacts>) => {
    told = { ...told, ...facts };
  };
  const given = inputs.queriesFile === undefined ? {} : { query: undefined };
  const github = githubOf(workspace);
  const surroundings = { run: makeRun(github.run), platform: createPlatformClient(transport), github };
  const deps = { ...surroundings, http: new Http({ clock, log, signal }), log, clock, signal, record };
  const result = await runSearch(makeSearchInputs({ baseUrl: emulator.url, ...given, ...inputs }), deps).then(
    (facts) => ({ facts, error: undefined }),
    (error: unknown) => ({ facts: undefined, error }),
  );
  return { ...result, told, log, clock };
}

function githubOf({ path, runnerTemp }: Workspace): GitHub {
  const run = makeRunContext({ job: 'search', workspace: path, runnerTemp });
  const never = () => Promise.reject(new Error('search does not talk to GitHub'));
  return { run, event: never, connect: never };
}
