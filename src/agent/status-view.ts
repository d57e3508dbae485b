import { countOf, formatDuration, formatInstant } from '../ground/text/amounts.ts';
import { codeBlock, codeSpan, escapeMarkdown, link } from '../ground/text/escape.ts';
import { factList } from '../ground/text/markdown.ts';
import type { AgentJob } from '../platform/contract.ts';
import type { Known } from '../run/context.ts';
import { sections } from '../run/report.ts';

/** What each phase without further facts says first, and what the reader can do. */
const PLAIN = {
  sending: ['⏳ **Sending the instruction to the docs agent.**'],
  creating: ['⏳ **Creating a new agent job for this pull request.**'],
  sent: ['📨 **The docs agent has received the instruction.**'],
  working: ['✍️ **The docs agent is working.**'],
  failed: [
    '❌ **The docs agent failed.**',
    'The platform gives no reason. Open the job on its dashboard, or instruct the agent again.',
  ],
  archived: [
    '🗄️ **The agent job was archived before it completed.**',
    'An archived job accepts no more instructions. Name another job in the next command, `--job ID`, or in `agent-job-id`.',
  ],
  'timed-out': [
    '⏱️ **The docs agent did not finish in time. It may still be running; this comment is no longer updated.**',
  ],
  detached: [
    '↗️ **The docs agent has received the instruction and is running. This comment is not updated any further.**',
  ],
  /** The message was sent, and its reply was lost. */
  unclear: [
    '❓ **The instruction may have been sent: the reply of the platform was lost.**',
    'It is not sent again. Open the job on the dashboard of the platform. If the instruction is not there, write the command in a new comment; a prompt or a template needs a new run, such as one by dispatch.',
  ],
  /** A new job was asked for, and the reply was lost. */
  'maybe-created': [
    '❓ **A new agent job may have been created: the reply of the platform was lost.**',
    'No other job is created for this pull request. Open the dashboard of the platform. If the job is there, write the command again with `--job ID`, or start a run by dispatch with `agent-job-id`. If it is not, create one there.',
  ],
} satisfies Record<string, readonly string[]>;

/** How far a command has come, as the status comment shows it. */
export type StatusPhase =
  | { readonly kind: keyof typeof PLAIN }
  | {
      readonly kind: 'completed';
      readonly pullRequestUrl: string | undefined;
      /**
       * The address in the platform's reply, if it is not a pull request of an allowed repository.
       */
      readonly otherLink?: string | undefined;
      /** What the agent's pull request changes, if it can be read. */
      readonly changes?: AgentChanges | undefined;
    }
  | { readonly kind: 'cancelled'; readonly sent: boolean }
  /**
   * The run that followed the job ended without a report. `jobStatus` is undefined if the platform
   * does not show the job.
   */
  | { readonly kind: 'abandoned'; readonly jobStatus: string | undefined }
  /** Not sent; `withheld`: since an earlier run may have sent it. */
  | {
      readonly kind: 'refused' | 'withheld';
      readonly reason: string;
      readonly example?: string | undefined;
    }
  | {
      readonly kind: 'error';
      readonly reason: string;
      readonly hint: string | undefined;
      readonly sent: boolean;
    }
  | { readonly kind: 'help'; readonly command: string }
  /** A comment that was most likely meant as a command. */
  | { readonly kind: 'hint'; readonly command: string; readonly seen: string };

/** What the agent's pull request changes. */
export interface AgentChanges {
  readonly title: string;
  readonly files: readonly {
    readonly path: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
  /** All files, also those that are not listed. */
  readonly fileCount: number;
}

/** What is known of a command so far. */
export type ViewFacts = Known<{
  /** Login of who asked; undefined for a run without a person. */
  asker: string;
  instruction: string;
  commit: string;
  /** The job, as far as the platform shows it. */
  job: Partial<AgentJob> & { readonly id: string };
  elapsedMs: number;
  /** What the agent did not get of the instruction, because a reader of the page cannot see it. */
  notSent: string;
  /**
   * What the agent did not get of the pull request, because its author may not be quoted:
   * sentences.
   */
  withheld: readonly string[];
}>;

export interface StatusView extends ViewFacts {
  readonly phase: StatusPhase;
  readonly runUrl: string | undefined;
}

/** GitHub takes 65,536; the record and the escapes need room too. */
export const MAX_COMMENT_CHARS = 60_000;
const MAX_INSTRUCTION_CHARS = 2000;
/** The agent's pull request itself shows the others. */
const MAX_FILES = 10;

/**
 * The status comment in Markdown, without its record. Everything from outside is escaped. A part of
 * which nothing is known is empty or undefined, and `sections` leaves it out.
 */
export function renderStatusComment(view: StatusView): string {
  const phase = view.phase;
  if (phase.kind === 'help') return usageText(phase.command);
  if (phase.kind === 'hint') return commandHint(phase.command, phase.seen);
  const log = view.runUrl && `[Log of the run](${view.runUrl})`;
  const headline = sections(textOf(phase));
  const text = sections([
    headline,
    view.notSent && `⚠️ ${escapeMarkdown(view.notSent, 1000)}`,
    withheldSection(view.withheld),
    factsSection(view),
    quoteOf(view.instruction),
    log,
  ]);
  if (text.length <= MAX_COMMENT_CHARS) return text;
  // What became of the command matters most.
  return sections([headline, log]);
}

/** The headline of a phase, and what explains it; empty texts are left out. */
function textOf(phase: Exclude<StatusPhase, { kind: 'help' | 'hint' }>): readonly string[] {
  switch (phase.kind) {
    case 'completed':
      return [completedText(phase.pullRequestUrl, phase.otherLink), changesSection(phase.changes)];
    case 'cancelled':
      if (!phase.sent) return ['🛑 **The run was cancelled before the instruction was sent.**'];
      return [
        '🛑 **The run was cancelled after the instruction was sent. The docs agent is still running; this comment is no longer updated.**',
      ];
    case 'abandoned':
      return [
        '🔚 **The run that followed the docs agent ended without a report.**',
        abandonedText(phase),
      ];
    case 'refused':
    case 'withheld':
      return [
        '🚫 **The instruction was not sent.**',
        escapeMarkdown(phase.reason, 1000),
        phase.example === undefined ? '' : codeBlock(phase.example, { language: 'text' }),
      ];
    case 'error':
      return [
        phase.sent
          ? '⚠️ **The instruction was sent, but the job could not be followed.**'
          : '⚠️ **The instruction was not sent.**',
        escapeMarkdown(phase.reason, 1000),
        escapeMarkdown(phase.hint ?? '', 500),
      ];
    default:
      return PLAIN[phase.kind];
  }
}

/** Shown for a job that completed without the address of a pull request. */
export const NO_PULL_REQUEST =
  'The agent made no pull request: either the documentation needed no change, or it committed to the branch itself.';

/**
 * What the agent did not get of the pull request, and what the reader can do: for the status
 * comment and the summary.
 */
export function withheldSection(withheld: readonly string[] = []): string {
  if (withheld.length === 0) return '';
  return sections([
    '🙈 **Not shown to the agent:**',
    withheld.map((sentence) => `- ${escapeMarkdown(sentence)}`).join('\n'),
    'If the agent needs it, instruct it with a text that says in your own words what to document.',
  ]);
}

/** The headline of a completed job; only a pull request of an allowed repository is a link. */
function completedText(pullRequestUrl: string | undefined, otherLink: string | undefined): string {
  if (pullRequestUrl !== undefined)
    return `✅ **The docs agent has finished:** ${link('its pull request', pullRequestUrl)}`;
  const finished = '✅ **The docs agent has finished.**';
  if (otherLink === undefined) return `${finished} ${NO_PULL_REQUEST}`;
  return `${finished} The address in its reply is not a pull request of an allowed repository: ${codeSpan(otherLink, 200)}`;
}

/** What became of a job that no run has followed to its end. */
function abandonedText(phase: { readonly jobStatus: string | undefined }): string {
  if (phase.jobStatus === undefined)
    return 'The platform does not show the agent job. Open it on the dashboard.';
  return `The job has ended since then, with the status ${codeSpan(phase.jobStatus, 60)}. Open it on the dashboard of the platform.`;
}

/** What the agent's pull request changes: for the status comment and the summary. */
export function changesSection(changes: AgentChanges | undefined): string {
  if (changes === undefined) return '';
  const title = `${codeSpan(changes.title, 200)} changes ${countOf(changes.fileCount, 'file')}`;
  // No list follows that a colon would announce.
  if (changes.fileCount === 0) return `${title}.`;
  const lines = changes.files
    .slice(0, MAX_FILES)
    .map((file) => `- ${codeSpan(file.path, 200)} +${file.additions} −${file.deletions}`);
  const unlisted = changes.fileCount - lines.length;
  if (unlisted > 0) lines.push(`- and ${countOf(unlisted, 'more file')}`);
  return sections([`${title}:`, lines.join('\n')]);
}

/** The table of what is known; `factList` leaves out rows whose value is empty or undefined. */
function factsSection(view: StatusView): string {
  const { job, elapsedMs } = view;
  let source = codeSpan(job?.source?.repository ?? '', 300);
  const branch = codeSpan(job?.source?.ref ?? '', 200);
  if (branch !== '') source += `, branch ${branch}`;
  return factList([
    ['Asked by', codeSpan(view.asker ?? '', 100)],
    ['At commit', codeSpan((view.commit ?? '').slice(0, 12))],
    ['Agent job', codeSpan(job?.id ?? '', 140)],
    ['Status', codeSpan(job?.status ?? '', 60)],
    ['Source', source],
    ['Model', codeSpan(job?.model ?? '', 100)],
    ['Created', job?.createdAt && formatInstant(job.createdAt)],
    ['Archived', job?.archivedAt && formatInstant(job.archivedAt)],
    ['Elapsed', elapsedMs === undefined ? undefined : formatDuration(elapsedMs)],
  ]);
}

function quoteOf(instruction = ''): string {
  if (instruction === '') return '';
  return `<details><summary>Instruction</summary>\n\n${codeBlock(instruction, { language: 'text', maxChars: MAX_INSTRUCTION_CHARS })}\n\n</details>`;
}

/** What a command looks like. */
function usageText(command: string): string {
  return sections([
    '**How to instruct the docs agent**',
    'Begin a comment on the pull request with the command. Everything after it is the instruction.',
    usageBlock(command),
    'Without `--job`, the job is the one of the last command here, or the one that a label `agent-job:ID` names.',
  ]);
}

/** The forms of a command, with what each does in a second column. */
function usageBlock(command: string): string {
  const longest = `${command} also document the --json flag`;
  const line = (example: string, what: string) => `${example.padEnd(longest.length)}  ${what}`;
  const lines = [
    line(longest, 'instructs the agent job of this pull request'),
    line(`${command} --job ID also document it`, 'instructs this agent job'),
    line(`${command} --sha SHA document it`, 'only if SHA (40 digits) is still the head'),
    line(`${command} help`, 'shows this'),
  ];
  return codeBlock(lines.join('\n'), { language: 'text' });
}

/** The answer to a comment that was most likely meant as a command. */
function commandHint(command: string, seen: string): string {
  const writtenWord = codeSpan(seen, 60);
  return sections([
    `💡 **${writtenWord} is not a command here.** To instruct the docs agent, write a new comment that begins with exactly ${codeSpan(command, 60)}: on the first line, in the first column, without text, blank lines, blanks or invisible characters in front of it or in it.`,
    usageBlock(command),
    'This hint appears once per pull request.',
  ]);
}
