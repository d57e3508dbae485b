import { Buffer } from 'node:buffer';
import * as z from 'zod/mini';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../emulator/src/platform/emulator.ts';

// One red pixel.
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

export const SITE = {
  'index.md':
    '---\ntitle: Acme docs\n---\n# Acme docs\n\nStart with [refreshing](how-to/refresh.md#when-it-is-due), or read [the guide](how-to/).\n\n![Diagram](img/a%20b.png)\n',
  'how-to/README.md': '---\ntitle: How-to guides\norder: 1\n---\n\nAll [guides](../index.md).\n',
  'how-to/refresh.md':
    '---\ntitle: Refresh the link\norder: 2\ntags: [links, secrets]\nversion: "2"\nlanguage: en\n---\n\n## When it is due\n\nA presigned link expires. Back [home](/), [nowhere](gone.md), [outside](https://example.com/x).\n\n![Far](https://example.com/far.png)\n\n```ts\nconst a = 1;\n```\n',
  'how-to/deploy.md':
    '---\ntitle: Deploy\norder: 1\ntags: hosting\nversion: 1\nlanguage: de\n---\n\n## Containers\n\nServe the bundle with a container.\n\n<script>alert(1)</script>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  'img/a b.png': PIXEL,
  'evil.js': 'fetch("https://example.com")',
};

export function startAcme(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  return startEmulator({ sites: { acme: SITE }, ...options });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface Ask {
  readonly method?: string;
  readonly key?: string | undefined;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

export async function ask(
  emulator: Emulator,
  path: string,
  { method, key, body }: Ask = {},
): Promise<Answer> {
  const response = await fetch(emulator.url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

export function admin(emulator: Emulator, path: string, body?: unknown): Promise<Answer> {
  return ask(emulator, path, { key: emulator.keys.admin, body });
}

export const JOBS = '/v1/static-export/jobs';
export const SEARCH = '/discovery/v1/search/acme';

const started = z.object({ jobId: z.string() });
const bundle = z.object({ bundleUrl: z.string(), expiresAt: z.optional(z.unknown()) });

export async function startExport(
  emulator: Emulator,
  domain = 'acme.docs.example',
): Promise<string> {
  return started.parse((await admin(emulator, JOBS, { domain })).json).jobId;
}

export async function makeBundle(
  emulator: Emulator,
  jobId: string,
): Promise<z.infer<typeof bundle>> {
  const answer = await ask(emulator, `${JOBS}/${jobId}/bundle`, {
    method: 'POST',
    key: emulator.keys.admin,
  });
  return bundle.parse(answer.json);
}

/** A link to the bundle of a completed job. */
export async function makeLink(emulator: Emulator): Promise<string> {
  const { jobId } = await emulator.addExportJob({ domain: 'acme' });
  return (await makeBundle(emulator, jobId)).bundleUrl;
}
