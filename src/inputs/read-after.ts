import { withoutSlash } from '../ground/text/names.ts';
import { SHORTEST_SECRET } from '../ground/text/redact.ts';
import type { KubernetesAddress } from '../stores/kubernetes/address.ts';
import type { InputName } from '../values/catalog.ts';
import type { InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { type Parser, reject } from '../values/values.ts';
import { asksForDestinations, type readDestinations } from './read-destinations.ts';

// Each function below reads all of its inputs before it gives undefined, so that every fault is
// reported. For a wrong input, the reader reports the fault and gives undefined.

const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset'] as const;
const ROLLOUT_OPTIONS = [
  'rollout-timeout',
  'on-rollout-failure',
] as const satisfies readonly InputName[];
const WORKLOAD_NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

interface Workload {
  readonly kind: (typeof WORKLOAD_KINDS)[number];
  readonly name: string;
  /**
   * The volume or container that gets the image of the run; undefined: its pods read the link from
   * a Secret.
   */
  readonly image?: string | undefined;
}

/**
 * `deployment/docs`, `deployment/docs#site` or `k8s:docs/deployment/docs#site`. Without a
 * namespace, it is the one of the Secret in `to`; without an image, the pods read the link.
 */
function workload(text: string) {
  const [, namespace, written, name = '', image] =
    /^(?:k8s:([^/]*)\/)?([^/#]*)\/([^/#]*)(?:#(.*))?$/.exec(text) ?? [];
  const kind = WORKLOAD_KINDS.find((candidate) => candidate === written);
  const labels = [namespace, image].filter((label) => label !== undefined);
  const isNamed = WORKLOAD_NAME.test(name) && labels.every((label) => LABEL.test(label));
  if (kind !== undefined && isNamed) return { namespace, workload: { kind, name, image } };
  return reject(
    'deployment/NAME, statefulset/NAME or daemonset/NAME, with #VOLUME after it for an image',
  );
}

/**
 * The workloads that are restarted once the link is written; undefined: none, or an input is wrong.
 */
export function readRollout(reader: InputReader, to: ReturnType<typeof readDestinations>) {
  const lines = reader.optional('rollout', values.lines(workload));
  const timeoutMs = reader.required('rollout-timeout', values.duration);
  const onFailure = reader.required('on-rollout-failure', values.oneOf(['fail', 'undo']));
  if (!reader.isGiven('rollout')) {
    reader.forbid(ROLLOUT_OPTIONS, 'is read only together with rollout');
    return undefined;
  }
  if (timeoutMs === 0)
    reader.problem(
      'rollout-timeout',
      'rollout-timeout must be 1s or more: pods need time to start',
    );
  // A destination is wrong, which is reported already: it may be the one in the cluster.
  if (to === undefined && asksForDestinations(reader)) return undefined;
  const workloads: readonly Workload[] = lines?.map((line) => line.workload) ?? [];
  const destinations: readonly KubernetesAddress[] =
    to?.addresses.filter((address) => address.scheme === 'k8s') ?? [];
  // A line may leave its namespace open: then it is that of the Secret.
  const named = [...destinations, ...(lines ?? [])].flatMap((part) => part.namespace ?? []);
  const namespaces = [...new Set(named)];
  const [namespace] = namespaces;
  const readsLink = workloads.some(({ image }) => image === undefined);
  const lacksSecret = readsLink && destinations.length === 0;
  if (namespace === undefined || lacksSecret) {
    reader.problem(
      'rollout',
      'rollout needs a k8s: address in to, of the Secret that the pods read. For an image, write k8s:NAMESPACE/deployment/NAME#VOLUME. For any other destination, leave out rollout: it reaches no pods',
    );
  } else if (namespaces.length > 1) {
    reader.problem(
      'rollout',
      `rollout belongs to one namespace, and these are named: ${namespaces.join(', ')}; use a step for each`,
    );
  }
  checkWorkloads(reader, workloads);
  if (lines === undefined || namespace === undefined) return undefined;
  if (timeoutMs === undefined || onFailure === undefined) return undefined;
  return {
    /** At least one, no two the same; all in `namespace`. */
    workloads,
    namespace,
    /** The destinations of the link in this cluster, all in `namespace`. */
    destinations,
    timeoutMs,
    onFailure,
  } as const;
}

function checkWorkloads(reader: InputReader, workloads: readonly Workload[]): void {
  if (workloads.some(({ image }) => image !== undefined) && !reader.isGiven('image')) {
    reader.problem(
      'rollout',
      'rollout names a volume or container, which gets the image of the run; give the input image',
    );
  }
  // One workload may be named for each of its images.
  const names = workloads.map(({ kind, name, image }) =>
    [`${kind}/${name}`, image].filter((part) => part !== undefined).join('#'),
  );
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined)
    reader.problem('rollout', `rollout names ${double} twice; name it once`);
}

const LIVE_OPTIONS = [
  'live-timeout',
  'on-not-live',
  'live-headers',
] as const satisfies readonly InputName[];

/** How the published site is checked; undefined: it is not checked, or an input is wrong. */
export function readLive(reader: InputReader) {
  if (!reader.isGiven('live-url')) {
    reader.forbid(LIVE_OPTIONS, 'is read only together with live-url');
    return undefined;
  }
  const url = reader.optional('live-url', liveUrl);
  const timeoutMs = reader.required('live-timeout', values.duration);
  const onNotLive = reader.required('on-not-live', values.oneOf(['fail', 'warn']));
  const headers = reader.optional('live-headers', liveHeaders) ?? {};
  if (url === undefined || timeoutMs === undefined || onNotLive === undefined) return undefined;
  if (url === withoutSlash(reader.text('base-url'))) {
    reader.problem(
      'live-url',
      "live-url is the address of the platform's API (base-url); give the address that readers open in a browser",
      { inputs: { 'live-url': '' } },
    );
  }
  if (values.isPlainHttp(new URL(url))) checkPlainHttp(reader, url);
  return {
    /** Of its start page, without a trailing slash, user name and query. */
    url,
    /** 0 or more. */
    timeoutMs,
    onNotLive,
    /** Names in lower case. Secrets, for the origin of `url` alone. */
    headers,
  } as const;
}

// An http address is allowed for sites in a private network, which often have no certificate, but
// never together with headers, which are secret.
function checkPlainHttp(reader: InputReader, url: string): void {
  if (reader.isGiven('live-headers')) {
    reader.problem(
      'live-headers',
      `live-headers is sent over https, or to a loopback host, and live-url is ${url}`,
    );
  } else if (!reader.optional('allow-private-hosts', values.boolean)) {
    reader.problem(
      'live-url',
      `live-url: "${url}" is not allowed; it must be https (http is for a loopback host, and with allow-private-hosts: true)`,
    );
  }
}

const EXAMPLE = 'https://docs.example.com';

/** The address of a site's start page; a path stays, a trailing slash goes. */
const liveUrl: Parser<string> = (value) => {
  const withoutLogin =
    'an address without user name and password; give them in live-headers, as Authorization';
  const url = values.webAddress(
    value,
    `the address of the published site, such as ${EXAMPLE}`,
    withoutLogin,
  );
  if (/[?#]/.test(value)) return reject('an address without query and fragment');
  if (/\/index\.x?html?$/i.test(url.pathname))
    return reject('the address of the start page without index.html');
  return withoutSlash(url.href);
};

/**
 * Headers that the program or its HTTP client sets: with another value, a request would fail or go
 * to another server.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'cache-control',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'pragma',
  'proxy-authorization',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const MOST_HEADERS = 20;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):[ \t]*([!-~](?:[ \t!-~]{0,4000}[!-~])?)$/;

/**
 * `Name: value`, one a line; names become lower case. An error shows only the name or the number of
 * a line, never a value.
 */
const liveHeaders: Parser<Readonly<Record<string, string>>> = (value) => {
  const headers = new Map<string, string>();
  const lines = headerLines(value);
  for (const [index, line] of lines.entries()) {
    const [, given = '', content = ''] = HEADER.exec(line) ?? [];
    const name = given.toLowerCase();
    // The line does not have the form of `HEADER`.
    if (name === '')
      return reject(`one "Name: value" a line, in printable ASCII; line ${index + 1} is not`);
    if (OWN_HEADERS.has(name)) return reject(`without ${name}, which is set by the program itself`);
    if (headers.has(name)) return reject(`each name once; ${name} is given twice`);
    headers.set(name, content);
  }
  if (lines.length > MOST_HEADERS) return reject(`at most ${MOST_HEADERS} lines`);
  return Object.fromEntries(headers);
};

function headerLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter(Boolean);
}

/**
 * The parts of the headers to mask: each value, and secrets inside of it, such as the token after
 * `Bearer` or the value of a cookie.
 */
export function headerSecrets(text: string): string[] {
  return headerLines(text).flatMap((line) => {
    const value = line.slice(line.indexOf(':') + 1).trim();
    const pieces = value.split(/[\s;,]+/);
    // Of `NAME=VALUE` the value; any other piece stays whole.
    const inner = pieces.map((piece) => piece.slice(piece.indexOf('=') + 1));
    // Shorter pieces are schemes and names: masking those would hide words of the log.
    const secrets = [value, ...pieces, ...inner].filter((text) => text.length >= SHORTEST_SECRET);
    return [...secrets, ...decodedBasic(value)];
  });
}

/** The login and the password in a header with Basic authentication. */
function decodedBasic(value: string): string[] {
  const encoded = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(value)?.[1];
  if (encoded === undefined) return [];
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
}
