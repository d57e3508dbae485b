import { formatBytes, formatDuration } from '../ground/text/amounts.ts';
import { codeSpan, escapeMarkdown, link } from '../ground/text/escape.ts';
import { factList } from '../ground/text/markdown.ts';
import type { Known, Presentation } from '../run/context.ts';
import {
  errorSection,
  heading,
  plannedSection,
  type Report,
  type RunFacts,
  sections,
} from '../run/report.ts';
import { type AgentChanges, changesSection, withheldSection } from './status-view.ts';

export type AgentFacts = RunFacts &
  Known<{
    /** True once a message was sent. */
    triggered: boolean;
    /** `owner/name`. */
    repository: string;
    pullNumber: number;
    asker: string;
    /** Head commit of the pull request that the instruction is about. */
    commit: string;
    agentJobId: string;
    /** Where the job's id came from. */
    jobOrigin: 'input' | 'command' | 'record' | 'label' | 'created';
    jobRepository: string;
    model: string;
    agentStatus: string;
    /** `sending`: the reply to the message has not come yet; `ended`: the agent works no longer. */
    stage: 'sending' | 'sent' | 'ended';
    /** A pull request of an allowed repository; any other address is not an output. */
    pullRequestUrl: string;
    /** The address in the platform's reply, if it is any other. */
    otherLink: string;
    /** What the agent did not get of the pull request: sentences. */
    withheld: readonly string[];
    /** Names of the texts of the event that were in `prompt`, and were taken for data. */
    eventTexts: readonly string[];
    /** What the agent's pull request changes. */
    changes: AgentChanges;
    commentUrl: string;
    promptBytes: number;
    /** With `dry-run` only. */
    prompt: string;
    /** Invisible characters that were taken out of what was read. */
    removedCharacters: number;
    jobElapsedMs: number;
  }>;

export const agentPresentation: Presentation<AgentFacts> = {
  unreported: ['stage'],
  /** What continues without the run, if it is cancelled at this stage. */
  leaves(facts) {
    switch (facts.stage) {
      case undefined:
        return 'Nothing was sent to the agent.';
      case 'sending':
        return 'The agent may have received the message: the reply of the platform has not come yet.';
      case 'sent':
        return `Agent job ${facts.agentJobId} keeps running on the platform.`;
      case 'ended':
        return `Agent job ${facts.agentJobId} has ended. Only the steps after that end early.`;
    }
  },
  summary: (report) =>
    sections([
      heading('Docs agent', report.status),
      escapeMarkdown(report.reason ?? '', 1000),
      errorSection(report.error),
      changesSection(report.changes),
      withheldSection(report.withheld),
      factsSection(report),
      plannedSection(report.planned),
    ]),
};

/** The table of what is known; `factList` leaves out rows whose value is empty or undefined. */
function factsSection(report: Report<AgentFacts>): string {
  const code = (value = '') => codeSpan(value, 300);
  const open = (url: string | undefined) => url && link('open', url);
  const shown = (value: number | undefined, format: (known: number) => string) =>
    value === undefined ? undefined : format(value);
  const toPull = (number: number) => code(`${report.repository ?? ''}#${number}`);
  return factList([
    ["Agent's pull request", open(report.pullRequestUrl)],
    ['Address that is not linked', code(report.otherLink)],
    ['Status comment', open(report.commentUrl)],
    ['Pull request', shown(report.pullNumber, toPull)],
    ['Asked by', code(report.asker)],
    ['At commit', code(report.commit)],
    ['Agent job', code(report.agentJobId)],
    ['Status', code(report.agentStatus)],
    ['Source', code(report.jobRepository)],
    ['Model', code(report.model)],
    ['Prompt', shown(report.promptBytes, formatBytes)],
    ['In `prompt`, but data of the event', code(report.eventTexts?.join(', '))],
    // Not shown if there were none.
    ['Invisible characters removed', shown(report.removedCharacters || undefined, String)],
    ['Followed for', shown(report.jobElapsedMs, formatDuration)],
  ]);
}
