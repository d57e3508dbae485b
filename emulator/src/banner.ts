import type { CliArguments } from './cli-arguments.ts';
import type { RunningForge } from './cli-forges.ts';
import type { GitHubEmulator } from './github/emulator.ts';
import type { Emulator } from './platform/emulator.ts';

export interface RunningGitHub {
  readonly emulator: GitHubEmulator;
  readonly secretToken: string;
  readonly workflowToken: string;
}

interface RunningForges {
  readonly github: RunningGitHub | undefined;
  readonly forges: readonly RunningForge[];
}

/** What started the emulator: the installed command, or a script of a clone. */
export type Starter = 'command' | 'clone';

/** What a person needs to use the emulator that has just started. */
export function formatBanner(
  emulator: Emulator,
  given: CliArguments,
  { github, forges }: RunningForges,
  starter: Starter,
): string {
  const { url, keys, projectId } = emulator;
  const { sites, agentJobs } = given;
  const site = Object.keys(sites)[0] ?? 'acme';
  const job = agentJobs[0]?.id;
  const lines = [
    `Documentation platform emulator: ${url}`,
    '',
    `  admin key      ${keys.admin}`,
    `  assistant key  ${keys.assistant}`,
    `  project id     ${projectId}`,
    ...Object.entries(sites).map(([id, folder]) => `  site           ${id} (${folder})`),
    ...agentJobs.map(({ id, source }) => `  agent job      ${id} (${source.repository})`),
    '',
    ...(github === undefined ? [] : [...githubLines(github, given), '']),
    ...forges.flatMap(({ lines: own }) => [...own, '']),
    'In another terminal:',
    `  export BASE_URL=${url} ADMIN_KEY=${keys.admin} ASSISTANT_KEY=${keys.assistant} PROJECT_ID=${projectId}${githubVariables(github)}${forges.flatMap(({ variables }) => variables.map((variable) => ` ${variable}`)).join('')}`,
    '',
    'Try it:',
    example({ key: keys.admin, url: `${url}/v1/static-export/jobs`, body: { domain: site } }),
    example({
      key: keys.assistant,
      url: `${url}/discovery/v1/search/${site}`,
      body: { query: 'getting started', pageSize: 3 },
    }),
    ...(job === undefined
      ? []
      : [
          example({
            key: keys.admin,
            url: `${url}/v2/agent/${projectId}/job/${job}/message`,
            body: { prompt: 'Shorten it.' },
          }),
        ]),
    '',
    'With docs-courier:',
    ...(starter === 'clone' ? stepLines(site) : commandLines(emulator, site)),
    '',
    'Stop it with Ctrl+C.',
  ];
  return lines.join('\n');
}

function commandLines({ url, keys }: Emulator, site: string): string[] {
  return [
    `  export DOCS_COURIER_BASE_URL=${url} DOCS_COURIER_ADMIN_API_KEY=${keys.admin} DOCS_COURIER_ASSISTANT_API_KEY=${keys.assistant}`,
    `  docs-courier export --domain ${site}.example.com --to file:link.txt`,
  ];
}

/** A clone has no installed command: its script runs one step, with the variables above. */
function stepLines(site: string): string[] {
  return [
    `  npm run --silent step -- --mode export --base-url "$BASE_URL" --admin-api-key "$ADMIN_KEY" --domain ${site}.example.com --extract-to site`,
  ];
}

function githubLines(
  { emulator, secretToken, workflowToken }: RunningGitHub,
  { github }: CliArguments,
): string[] {
  return [
    `GitHub emulator: ${emulator.url}`,
    '',
    `  secret token    ${secretToken}`,
    `  workflow token  ${workflowToken}`,
    ...(github?.repositories ?? []).map((name) => `  repository      ${name}`),
  ];
}

function githubVariables(github: RunningGitHub | undefined): string {
  if (github === undefined) return '';
  const { emulator, secretToken, workflowToken } = github;
  return ` GITHUB_URL=${emulator.url} SECRET_TOKEN=${secretToken} WORKFLOW_TOKEN=${workflowToken}`;
}

function example({
  key,
  url,
  body,
}: {
  key: string;
  url: string;
  body: Record<string, unknown>;
}): string {
  return `  curl -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`;
}
