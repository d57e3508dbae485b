import { type InputReader, type InputSource, type ReadDestination, rawInput } from './reader.ts';
import * as values from './values.ts';
import { accept, apiToken, type Parser, reject } from './values.ts';

/** An issue about a step that fails. */
export interface IssueInputs {
  readonly token: string;
  /** The key of the step's mode, which signs the issue; `''` where it is missing, which can be why the step fails. */
  readonly secret: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
}

const MAX_ASSIGNEES = 10;

// https://docs.github.com/rest/issues/labels: at most 50 characters.
const label: Parser<string> = (text) =>
  /^[^\p{Cc}\p{Zl}\p{Zp}]{1,50}$/u.test(text) ? accept(text) : reject('a label of at most 50 characters');

const login: Parser<string> = (text) =>
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text) ? accept(text) : reject('a login without @, such as octocat');

const labels = values.list(label);
const assignees: Parser<readonly string[]> = (text) => {
  const parsed = values.list(login)(text);
  return parsed.ok && parsed.value.length > MAX_ASSIGNEES ? reject(`at most ${MAX_ASSIGNEES} logins`) : parsed;
};

/** Reports what is wrong with the inputs about issues; their values are read when the run has ended. */
export function checkIssueInputs(reader: InputReader, { takesNotices = true }: ReadDestination): void {
  const isOn = reader.required('issue-on-failure', values.boolean) ?? false;
  reader.optional('issue-labels', labels);
  reader.optional('issue-assignees', assignees);
  if (!isOn) {
    reader.forbid(['issue-labels', 'issue-assignees'], 'is read only together with issue-on-failure: true');
    return;
  }
  reader.required('github-token', apiToken, ': issue-on-failure opens the issue with it');
  if (!takesNotices) reader.problem('issue-on-failure works on GitHub Actions alone; remove it');
}

/**
 * The same, of a run that may have failed because of its inputs: what cannot be read is left out. undefined: no issue is
 * asked for, there is no token to open one, or the run is a dry run.
 */
export function readIssueInputs(source: InputSource): IssueInputs | undefined {
  const isOn = values.boolean(rawInput(source, 'issue-on-failure'));
  const token = apiToken(rawInput(source, 'github-token'));
  const isDryRun = values.boolean(rawInput(source, 'dry-run'));
  if (!isOn.ok || !isOn.value || !token.ok || (isDryRun.ok && isDryRun.value)) return undefined;
  const listed = (name: 'issue-labels' | 'issue-assignees', parser: Parser<readonly string[]>) => {
    const parsed = parser(rawInput(source, name));
    return parsed.ok ? parsed.value : [];
  };
  const key = rawInput(source, 'mode') === 'search' ? 'assistant-api-key' : 'admin-api-key';
  return {
    token: token.value,
    secret: rawInput(source, key),
    labels: listed('issue-labels', labels),
    assignees: listed('issue-assignees', assignees),
  };
}
