import { unreachable } from '../../errors.ts';
import { sections } from '../../report/summary.ts';
import { codeBlock, codeSpan, escapeMarkdown, link } from '../../text/escape.ts';
import { factList, formatDuration, formatInstant } from '../../text/markdown.ts';

/** How far a command has come, as the status comment shows it. All but `sending`, `sent` and `working` are final. */
export type StatusPhase =
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'working' }
  | {
      readonly kind: 'completed';
      readonly pullRequestUrl: string | undefined;
      /** What the platform tells in its place, where that is no pull request of an allowed repository. */
      readonly otherLink?: string | undefined;
    }
  | { readonly kind: 'failed' }
  | { readonly kind: 'archived' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'detached' }
  | { readonly kind: 'cancelled'; readonly sent: boolean }
  /** The message was sent, and its reply was lost. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'error'; readonly reason: string; readonly hint: string | undefined; readonly sent: boolean }
  | { readonly kind: 'help'; readonly command: string };

export interface StatusView {
  readonly phase: StatusPhase;
  /** Login of who asked; undefined for a run without a person. */
  readonly asker: string | undefined;
  readonly instruction: string | undefined;
  readonly commit: string | undefined;
  readonly job: StatusJob | undefined;
  readonly elapsedMs: number | undefined;
  readonly runUrl: string;
}

/** What the platform tells about the job. */
export interface StatusJob {
  readonly id: string;
  readonly status?: string | undefined;
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  readonly model?: string | undefined;
  readonly createdAt?: Date | undefined;
  readonly archivedAt?: Date | undefined;
}

/** GitHub takes 65,536; the record and the escapes need room too. */
export const MAX_COMMENT_CHARS = 60_000;
const MAX_INSTRUCTION_CHARS = 2000;

/** The status comment in Markdown, without its record. Pure; everything from outside is escaped. */
export function renderStatusComment(view: StatusView): string {
  const { phase } = view;
  if (phase.kind === 'help') return usage(phase.command);
  const text = sections([
    headline(phase),
    explanation(phase),
    facts(view),
    quoteOf(view.instruction),
    `[Log of the run](${view.runUrl})`,
  ]);
  return text.length <= MAX_COMMENT_CHARS
    ? text
    : sections([headline(phase), explanation(phase), `[Log of the run](${view.runUrl})`]);
}

function headline(phase: StatusPhase): string {
  switch (phase.kind) {
    case 'sending':
      return '⏳ **The instruction is being sent to the docs agent.**';
    case 'sent':
      return '📨 **The docs agent has the instruction.**';
    case 'working':
      return '✍️ **The docs agent is working.**';
    case 'completed':
      return completed(phase);
    case 'failed':
      return '❌ **The docs agent failed.**';
    case 'archived':
      return '🗄️ **The agent job was archived before it was done.**';
    case 'timed-out':
      return '⏱️ **The docs agent was not done in time. It goes on; this comment does not follow it any more.**';
    case 'detached':
      return '↗️ **The docs agent has the instruction and works on; this comment does not follow it.**';
    case 'cancelled':
      return phase.sent
        ? '🛑 **The run was cancelled after the instruction was sent. The docs agent goes on; this comment does not follow it any more.**'
        : '🛑 **The run was cancelled before the instruction was sent.**';
    case 'unclear':
      return '❓ **The instruction may have been sent: the reply of the platform was lost.**';
    case 'refused':
      return '🚫 **The instruction was not sent.**';
    case 'error':
      return phase.sent
        ? '⚠️ **The instruction was sent, but the job could not be followed.**'
        : '⚠️ **The instruction was not sent.**';
    case 'help':
      return '';
    default:
      return unreachable(phase);
  }
}

function completed({ pullRequestUrl, otherLink }: Extract<StatusPhase, { kind: 'completed' }>): string {
  if (pullRequestUrl !== undefined) return `✅ **The docs agent is done:** ${link('its pull request', pullRequestUrl)}`;
  return otherLink === undefined
    ? '✅ **The docs agent is done. It made no pull request: nothing in the documentation had to change.**'
    : `✅ **The docs agent is done.** The address that it gives is not a pull request of an allowed repository: ${codeSpan(otherLink, 200)}`;
}

function explanation(phase: StatusPhase): string {
  switch (phase.kind) {
    case 'refused':
      return escapeMarkdown(phase.reason, 1000);
    case 'error':
      return sections([escapeMarkdown(phase.reason, 1000), escapeMarkdown(phase.hint?.split('\n')[0] ?? '', 500)]);
    case 'unclear':
      return 'It is not sent again by itself. Look at the job on the dashboard of the platform; if the instruction is not there, write the command again in a new comment.';
    case 'failed':
      return 'The platform says no more. Look at the job on its dashboard, or write a new command.';
    case 'archived':
      return 'An archived job takes no more instructions. Bind another job to this pull request for the next command.';
    default:
      return '';
  }
}

function facts({ asker, commit, job, elapsedMs }: StatusView): string {
  const rows: (readonly [string, string | undefined])[] = [
    ['Asked by', asker === undefined ? undefined : codeSpan(asker, 100)],
    ['At commit', commit === undefined ? undefined : codeSpan(commit.slice(0, 12))],
    ['Agent job', job && codeSpan(job.id, 140)],
    ['State', job?.status === undefined ? undefined : codeSpan(job.status, 60)],
    ['Source', sourceOf(job)],
    ['Model', job?.model === undefined ? undefined : codeSpan(job.model, 100)],
    ['Created', job?.createdAt && formatInstant(job.createdAt)],
    ['Archived', job?.archivedAt && formatInstant(job.archivedAt)],
    ['Elapsed', elapsedMs === undefined ? undefined : formatDuration(elapsedMs)],
  ];
  return rows.some(([, value]) => value !== undefined) ? factList(rows) : '';
}

function sourceOf(job: StatusJob | undefined): string | undefined {
  if (job?.repository === undefined) return undefined;
  const branch = job.ref === undefined ? '' : `, branch ${codeSpan(job.ref, 200)}`;
  return `${codeSpan(job.repository, 300)}${branch}`;
}

function quoteOf(instruction: string | undefined): string {
  if (instruction === undefined || instruction === '') return '';
  return `<details><summary>Instruction</summary>\n\n${codeBlock(instruction, { language: 'text', maxChars: MAX_INSTRUCTION_CHARS })}\n\n</details>`;
}

function usage(command: string): string {
  const word = command;
  return sections([
    '**How to instruct the docs agent**',
    'Begin a comment on the pull request with the command; all that follows is the instruction.',
    codeBlock(
      [
        `${word} also document the --json flag    instructs the agent job of this pull request`,
        `${word} --job ID also document it        instructs this agent job`,
        `${word} help                             shows this`,
      ].join('\n'),
      { language: 'text' },
    ),
    'Without `--job`, the job is the one of the last command here, or the one that a label `agent-job:ID` names.',
  ]);
}
