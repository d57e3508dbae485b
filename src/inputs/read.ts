import { guess } from '../text/guess.ts';
import { INPUTS } from './catalog.ts';
import type {
  AgentInputs,
  ExportInputs,
  Inputs,
  PlanInputs,
  RefreshInputs,
  RollbackInputs,
  SearchInputs,
  WorkInputs,
  WorkMode,
} from './inputs.ts';
import { CONTEXT_PARTS, MODES, type Mode, PERMISSIONS } from './inputs.ts';
import { apiKey, apiToken } from './keys.ts';
import { accept } from './parser.ts';
import { readBundle } from './read-bundle.ts';
import { readDoctor } from './read-doctor.ts';
import { readExportChoice } from './read-export.ts';
import { asksForPlaces, readPlaces } from './read-places.ts';
import { readRollout } from './read-rollout.ts';
import { INPUT_NAMES, InputReader, type ReadPlace, rawInput } from './reader.ts';
import type { InputSource } from './source.ts';
import * as values from './values.ts';

/** The mode alone, where it is readable: it decides how a failure of the rest is presented. */
export function readMode(source: InputSource): Mode | undefined {
  const parsed = values.oneOf(MODES)(rawInput(source, 'mode'));
  return parsed.ok ? parsed.value : undefined;
}

/**
 * The inputs, or one `config` error that names everything that is wrong. Sends and opens nothing. `emptyCauses` says why an
 * input that comes from a secret or a variable may be empty in this run.
 */
export function readInputs(source: InputSource, place: ReadPlace, emptyCauses: readonly string[] = []): Inputs {
  const reader = new InputReader(source, emptyCauses);
  const mode = reader.required('mode', values.oneOf(MODES), `; it must be ${MODES.join(', ')}`);
  // The rest is checked as for the mode that was probably meant, so that all mistakes show at once.
  const similar = guess(rawInput(source, 'mode'), MODES);
  const meant = mode ?? MODES.find((name) => name === similar);
  if (meant === undefined) {
    reader.refuseUnknown();
    readCommon(reader);
    throw reader.failure();
  }
  if (meant === 'doctor') {
    if (mode === undefined) throw reader.failure();
    return readDoctor(source, emptyCauses, (work, own) => readModeInputs({ mode: work, reader: own, place }));
  }
  reader.refuseUnknown();
  for (const name of INPUT_NAMES) {
    const modes: readonly string[] = INPUTS[name].modes;
    if (name !== 'github-token' && !modes.includes(meant) && reader.isGiven(name)) {
      reader.problem(`${name} belongs to mode ${modes.join(', ')}, not to ${meant}; remove it`);
    }
  }
  const inputs = meant === 'plan' ? readPlan(reader) : readModeInputs({ mode: meant, reader, place });
  if (inputs === undefined || reader.failed) throw reader.failure();
  return inputs;
}

interface Reading {
  readonly mode: WorkMode;
  readonly reader: InputReader;
  readonly place: ReadPlace;
}

function readPlan(reader: InputReader): PlanInputs | undefined {
  const configFile = reader.required('config-file', values.line, ': it names the file with the sites');
  const changedSince = reader.option('changed-since') || undefined;
  return configFile === undefined ? undefined : { mode: 'plan', baseUrl: undefined, configFile, changedSince };
}

function readModeInputs(reading: Reading): WorkInputs | undefined {
  const common = readCommon(reading.reader);
  switch (reading.mode) {
    case 'export':
      return readExport(reading, common);
    case 'refresh':
      return readRefresh(reading, common);
    case 'rollback':
      return readRollback(reading, common);
    case 'agent':
      return readAgent(reading, common);
    case 'search':
      return readSearch(reading, common);
  }
}

function readCommon(reader: InputReader): Common {
  const baseUrl = reader.required('base-url', values.baseUrl);
  const dryRun = reader.required('dry-run', values.boolean);
  return { baseUrl: baseUrl ?? '', dryRun: dryRun ?? false };
}

interface Common {
  readonly baseUrl: string;
  readonly dryRun: boolean;
}

// Each of the readers below goes through all of its inputs before it gives up: every fault is to be reported.

function readFollow(reader: InputReader) {
  const timeoutMs = reader.required('timeout', values.duration) ?? 0;
  const onTimeout = reader.required('on-timeout', values.oneOf(['fail', 'detach'])) ?? 'fail';
  return { timeoutMs, onTimeout } as const;
}

function readLink({ reader, place }: Reading) {
  const adminApiKey = reader.required('admin-api-key', apiKey('admin'));
  const exportJobId = reader.optional('export-job-id', values.pathId);
  const deploymentType = reader.optional('deployment-type', values.oneOf(['cloud', 'client-hosted', 'air-gapped']));
  const to = readPlaces(reader, place);
  return {
    adminApiKey,
    exportJobId,
    deploymentType,
    to,
    rollout: readRollout(reader, to),
    bundle: readBundle(reader, place),
  };
}

const MAX_PAGES = 1_000_000;

function readExport(reading: Reading, common: Common): ExportInputs | undefined {
  const { reader } = reading;
  const link = readLink(reading);
  const choice = readExportChoice(reader);
  const follow = readFollow(reader);
  const minPages = reader.required('min-pages', values.integer({ min: 0, max: MAX_PAGES }));
  if (link.adminApiKey === undefined || minPages === undefined) return undefined;
  return { mode: 'export', ...common, ...link, adminApiKey: link.adminApiKey, ...follow, ...choice, minPages };
}

function readRefresh(reading: Reading, common: Common): RefreshInputs | undefined {
  const { reader } = reading;
  const link = readLink(reading);
  const projectId = reader.optional('project-id', values.pathId);
  const refreshBeforeMs = reader.required('refresh-before', values.duration);
  const ifNoState = reader.required('if-no-state', values.oneOf(['fail', 'skip'])) ?? 'fail';
  if (!asksForPlaces(reader) && !reader.isGiven('export-job-id')) {
    reader.problem(
      'secret-name is missing: it names the secret whose link is to be kept fresh (or give another place in to, or export-job-id)',
    );
  }
  if (link.adminApiKey === undefined || refreshBeforeMs === undefined) return undefined;
  return { mode: 'refresh', ...common, ...link, adminApiKey: link.adminApiKey, projectId, refreshBeforeMs, ifNoState };
}

// The state remembers 20 exports, the live one among them.
const MAX_STEPS = 19;

function readRollback(reading: Reading, common: Common): RollbackInputs | undefined {
  const { reader } = reading;
  const { to, adminApiKey, ...link } = readLink(reading);
  const projectId = reader.optional('project-id', values.pathId);
  const steps = reader.required('steps', values.integer({ min: 1, max: MAX_STEPS }));
  if (reader.isGiven('export-job-id')) {
    reader.forbid(['steps'], 'is read only without export-job-id, which names the export to go back to');
  }
  if (!asksForPlaces(reader)) {
    reader.problem(
      'secret-name is missing: it names the secret whose link is to be rolled back (or give another place in to)',
    );
  }
  if (adminApiKey === undefined || to === undefined || steps === undefined) return undefined;
  return { mode: 'rollback', ...common, ...link, adminApiKey, to, projectId, steps };
}

const CONTEXT_LIMIT = { min: 4 * 1024, max: 1024 * 1024 };

function readAgent({ reader, place }: Reading, common: Common): AgentInputs | undefined {
  const adminApiKey = reader.required('admin-api-key', apiKey('admin'));
  const githubToken = reader.required('github-token', apiToken);
  const projectId = reader.required('project-id', values.pathId);
  const repositories = reader.optional('agent-repositories', values.list(values.repository)) ?? [];
  const agent = {
    ...readFollow(reader),
    agentJobId: reader.optional('agent-job-id', values.pathId),
    createAgentJob: reader.required('create-agent-job', values.boolean) ?? false,
    prompt: reader.optional('prompt', values.text),
    command: reader.required('command', values.commandWord) ?? '',
    pullRequest: reader.optional('pull-request', values.integer({ min: 1, max: 2 ** 31 - 1 })),
    requiredPermission: reader.required('required-permission', values.oneOf(PERMISSIONS)) ?? 'admin',
    allowedBots: reader.optional('allowed-bots', values.list(values.botLogin)) ?? [],
    allowOutsideText: reader.required('allow-outside-text', values.boolean) ?? false,
    agentRepositories: repositories.filter((name) => name.toLowerCase() !== place.repository.toLowerCase()),
    context: readContext(reader),
    contextLimitBytes: reader.required('context-limit', values.size(CONTEXT_LIMIT)) ?? 0,
    relatedDocs: readRelatedDocs(reader),
    wait: reader.required('wait', values.boolean) ?? true,
    statusComment: reader.required('status-comment', values.boolean) ?? true,
  };
  if (adminApiKey === undefined || githubToken === undefined || projectId === undefined) return undefined;
  return { mode: 'agent', ...common, ...agent, adminApiKey, githubToken, projectId };
}

function readContext(reader: InputReader): AgentInputs['context'] {
  return (
    reader.required('context', (text) =>
      text === 'none' ? accept([]) : values.list(values.oneOf(CONTEXT_PARTS))(text),
    ) ?? []
  );
}

function readRelatedDocs(reader: InputReader): AgentInputs['relatedDocs'] {
  const count = reader.required('related-docs', values.integer({ min: 0, max: 10 })) ?? 0;
  if (count === 0) {
    reader.forbid(['domain', 'assistant-api-key'], 'is read in agent mode only with related-docs');
    return undefined;
  }
  const domain = reader.required('domain', values.siteId, ': related-docs searches this site');
  const assistantApiKey = reader.required('assistant-api-key', apiKey('assistant'), ': related-docs searches with it');
  return domain === undefined || assistantApiKey === undefined ? undefined : { count, domain, assistantApiKey };
}

const MAX_REQUESTS = 100_000;

function readSearch({ reader, place }: Reading, common: Common): SearchInputs | undefined {
  const assistantApiKey = reader.required('assistant-api-key', apiKey('assistant'));
  const domain = reader.required('domain', values.siteId);
  const search = {
    query: reader.optional('query', values.text),
    queriesFile: reader.optional('queries-file', values.pathBelow(place.workspace)),
    pageSize: reader.optional('page-size', values.integer({ min: 1, max: 50 })),
    scoreThreshold: reader.optional('score-threshold', values.decimal({ min: 0, max: 1 })),
    filter: {
      version: reader.optional('filter-version', values.line),
      language: reader.optional('filter-language', values.line),
      tag: reader.optional('filter-tag', values.line),
      groups: reader.optional('filter-groups', values.lines(values.line)),
    },
    minResults: reader.required('min-results', values.integer({ min: 0, max: 50 })) ?? 0,
    baselineFile: reader.optional('baseline-file', values.pathBelow(place.workspace)),
    maxRequests: reader.required('max-requests', values.integer({ min: 1, max: MAX_REQUESTS })) ?? 0,
    waitForIndexMs: reader.optional('wait-for-index', values.duration),
  };
  if (reader.isGiven('query') === reader.isGiven('queries-file')) {
    reader.problem(
      reader.isGiven('query')
        ? 'query and queries-file exclude each other; give one of them'
        : 'query or queries-file is missing',
    );
  }
  if (assistantApiKey === undefined || domain === undefined) return undefined;
  return { mode: 'search', ...common, ...search, assistantApiKey, domain };
}
