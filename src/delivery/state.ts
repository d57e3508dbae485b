import * as z from 'zod/mini';
import { readInstant } from '../platform/contract.ts';
import { sign, verify } from '../proof.ts';
import { parseJson } from '../text/json.ts';
import { isPathId } from '../text/path-id.ts';

/** How far the run that wrote the state had come with an export of its own. */
const runState = z.object({
  id: z.string(),
  job: z.string(),
  state: z.enum(['starting', 'started', 'done']),
  jobId: z.optional(z.string().check(z.refine(isPathId))),
});

const stateContent = z.object({
  version: z.literal(1),
  domain: z.optional(z.string()),
  baseUrl: z.string(),
  /** The finished job whose link is in the secret. */
  jobId: z.optional(z.string().check(z.refine(isPathId))),
  /** ISO 8601, UTC; absent where the platform did not say. */
  expiresAt: z.optional(z.string().check(z.refine((text) => readInstant(text) !== undefined))),
  run: z.optional(runState),
});

/** What stands in the variable `<NAME>_STATE` beside a secret. It holds no secret and may be read by anyone. */
export type State = z.infer<typeof stateContent>;
export type RunState = z.infer<typeof runState>;

const signedState = z.extend(stateContent, { proof: z.string() });

/** What the state is bound to: at any other place, or for another platform, it counts for nothing. */
export interface StatePlace {
  readonly adminApiKey: string;
  readonly baseUrl: string;
  /** Such as `environment production of acme/app`. */
  readonly target: string;
  readonly secretName: string;
}

export type ReadState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'believed'; readonly state: State }
  /** Something stands there, but it is not ours, or not for this place; `why` completes "it is not believed: ". */
  | { readonly kind: 'distrusted'; readonly why: string };

const PURPOSE = 'docs-courier/state/v1';

export function variableName(secretName: string): string {
  return `${secretName}_STATE`;
}

function signing({ adminApiKey, target, secretName }: StatePlace, state: State) {
  return { secret: adminApiKey, purpose: PURPOSE, payload: { state, target: target.toLowerCase(), secretName } };
}

export function writeState(place: StatePlace, state: State): string {
  return JSON.stringify({ ...state, proof: sign(signing(place, state)) });
}

/**
 * Believes a state only with a proof that someone with this admin key wrote it for this place: who can write variables but
 * has no key must not be able to point a deployment at another site's export.
 */
export function readState(place: StatePlace, text: string | undefined): ReadState {
  if (text === undefined || text.trim() === '') return { kind: 'missing' };
  const distrust = (why: string): ReadState => ({ kind: 'distrusted', why });
  const json = parseJson(text);
  const version = z.object({ version: z.unknown() }).safeParse(json);
  if (!version.success) return distrust('it is not a state of Docs Courier');
  if (version.data.version !== 1) return distrust('its version is unknown; a newer Docs Courier may have written it');
  const parsed = signedState.safeParse(json);
  if (!parsed.success) return distrust('it is not whole');
  const { proof, ...state } = parsed.data;
  if (!verify({ ...signing(place, state), proof })) {
    return distrust(
      'its proof is wrong: it was written with another admin key, for another place, or by someone without a key',
    );
  }
  if (state.baseUrl !== place.baseUrl) return distrust(`it belongs to the platform at ${state.baseUrl}`);
  return { kind: 'believed', state };
}

/** True when a fresh link is wanted: it expires sooner than `refreshBeforeMs` from now, has expired, or nobody knows. */
export function isDue(
  { expiresAt }: Pick<State, 'expiresAt'>,
  { nowMs, refreshBeforeMs }: { nowMs: number; refreshBeforeMs: number },
): boolean {
  const expiry = readInstant(expiresAt);
  return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}

/** What a re-run does about the export of an earlier attempt. */
export type Resume =
  | { readonly kind: 'start'; readonly warning?: string | undefined }
  | { readonly kind: 'attach'; readonly jobId: string };

export interface ResumeInit {
  readonly state: State | undefined;
  readonly run: { readonly runId: string; readonly runAttempt: number; readonly job: string };
  readonly domain: string | undefined;
}

/** Only a later attempt of the same run and job attaches by itself: another run wants a new export. */
export function decideResume({ state, run, domain }: ResumeInit): Resume {
  const last = state?.run;
  if (run.runAttempt <= 1 || last === undefined || state?.domain !== domain) return { kind: 'start' };
  if (last.id !== run.runId || last.job !== run.job) return { kind: 'start' };
  if (last.jobId !== undefined) return { kind: 'attach', jobId: last.jobId };
  return {
    kind: 'start',
    warning:
      'An earlier attempt of this run was about to start an export and left no job id: one may be running. To attach to it, give its id from the dashboard as export-job-id.',
  };
}
