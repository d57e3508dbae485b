import { INPUTS } from '../values/catalog.ts';
import { type InputContext, InputReader, type InputSource, laptopToken } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { apiKey, apiToken } from '../values/values.ts';
import { type CommonInputs, readFollow } from './read-common.ts';

export const CONTEXT_PARTS = ['description', 'files', 'diff', 'comments', 'docs'] as const;

function contextParts(text: string) {
  if (text === 'none') return [];
  return values.list(values.oneOf(CONTEXT_PARTS))(text);
}

/** Why the agent cannot be instructed from some systems, by the kind of the run. */
const GITEA =
  'mode agent does not run on Gitea and Forgejo: the documentation platform connects to no repository there, so no agent job can belong to this one; all other modes run there';
const WITHOUT_AGENT: ReadonlyMap<string, string> = new Map([
  ['gitlab', 'mode agent does not run in GitLab CI; all other modes run there'],
  ['gitea', GITEA],
  ['forgejo', GITEA],
]);

/**
 * The inputs of mode `agent`; undefined if one is wrong. Reads all of them, so that each fault is
 * reported. After `??` is the value of an input that is not given, or wrong: then no run sees it.
 */
export function readAgent(reader: InputReader, inputContext: InputContext, common: CommonInputs) {
  const why = WITHOUT_AGENT.get(inputContext.run?.kind ?? '');
  if (why !== undefined) {
    reader.problem('mode', why);
    return undefined;
  }
  const adminApiKey = reader.required('admin-api-key', apiKey('admin'));
  // On a person's own machine, the token of their command gh will do.
  const personToken = reader.isGiven('github-token') ? undefined : laptopToken(inputContext.run);
  const githubToken = personToken ?? reader.required('github-token', apiToken);
  const projectId = reader.required('project-id', values.pathId);
  const context = reader.required('context', contextParts) ?? [];
  const repositories = reader.optional('agent-repositories', values.list(values.repository)) ?? [];
  const agent = {
    ...readFollow(reader),
    agentJobId: reader.optional('agent-job-id', values.pathId),
    /** A job is created if the pull request has none. */
    createAgentJob: reader.required('create-agent-job', values.boolean) ?? false,
    prompt: reader.optional('prompt', values.text),
    /** A template on the default branch, instead of `prompt`: below the root, without `..`. */
    promptFile: reader.optional('prompt-file', values.repositoryPath),
    pullRequest: reader.optional('pull-request', values.integer(1, 2 ** 31 - 1)),
    /** `owner/name`, without the current repository. */
    agentRepositories: repositories.filter(
      (name) => name.toLowerCase() !== inputContext.repository.toLowerCase(),
    ),
    context,
    /**
     * The site that is searched for related pages; undefined unless `docs` is a part of the
     * context.
     */
    relatedDocs: readRelatedDocs(reader, context),
    ...readAnswer(reader),
  } as const;
  checkPrompt(reader);
  if (adminApiKey === undefined || githubToken === undefined || projectId === undefined)
    return undefined;
  return { mode: 'agent', ...common, ...agent, adminApiKey, githubToken, projectId } as const;
}

function checkPrompt(reader: InputReader): void {
  if (!reader.isGiven('prompt') || !reader.isGiven('prompt-file')) return;
  reader.problem('prompt', 'prompt and prompt-file exclude each other; give one of them');
}

/**
 * The inputs with which the author of a command is shown that inputs are wrong. Of these inputs, a
 * wrong one counts as its default. undefined: comments are not commands in this run, or there is no
 * token to write an answer with.
 */
export function readAnswerInputs(source: InputSource) {
  const reader = new InputReader(source);
  const githubToken = reader.optional('github-token', apiToken);
  // With its own prompt, the run does not take the text of a comment as a command.
  if (githubToken === undefined || reader.text('prompt') !== '') return undefined;
  return {
    githubToken,
    ...readAnswer(reader),
    // A wrong `dry-run` was most likely meant as true.
    dryRun: reader.optional('dry-run', values.boolean) ?? true,
  };
}

/** Who may command, and how a command is answered. A wrong input counts as its default. */
function readAnswer(reader: InputReader) {
  const permission = values.oneOf(values.PERMISSIONS);
  return {
    /** One word, such as `/docs-agent`. */
    command: reader.optional('command', values.commandWord) ?? INPUTS.command.default,
    requiredPermission: reader.optional('required-permission', permission) ?? 'write',
    allowedBots: reader.optional('allowed-bots', values.list(values.botLogin)) ?? [],
    allowOutsideText: reader.optional('allow-outside-text', values.boolean) ?? false,
    statusComment: reader.optional('status-comment', values.boolean) ?? true,
  } as const;
}

/** What `readAnswerInputs` gives. */
export type AnswerInputs = Readonly<NonNullable<ReturnType<typeof readAnswerInputs>>>;

/** The site to search, if `context` has `docs`; undefined: it has not, or an input is wrong. */
function readRelatedDocs(reader: InputReader, context: readonly string[]) {
  if (!context.includes('docs')) {
    reader.forbid(
      ['domain', 'assistant-api-key'],
      'is read in agent mode only with docs in context',
    );
    return undefined;
  }
  const domain = reader.required('domain', values.siteId, ': docs in context searches this site');
  const assistantApiKey = reader.required(
    'assistant-api-key',
    apiKey('assistant'),
    ': docs in context searches with it',
  );
  if (domain === undefined || assistantApiKey === undefined) return undefined;
  return { domain, assistantApiKey } as const;
}
