import type { Emulator } from '../../../emulator/src/platform/emulator.ts';
import type { AgentFacts } from '../../../src/agent/summary.ts';
import type { AgentInputs } from '../../../src/inputs/inputs.ts';
import type { Outcome, RunOptions } from '../world/run.ts';

/** Who writes: `reader` is a collaborator with read permission, `stranger` has no access. */
export type Who = 'owner' | 'writer' | 'reader' | 'stranger';

/** What a run is started with. */
export interface AgentEvent {
  /** Of the comment. */
  readonly id: number;
  readonly eventName: string;
  readonly payload: object;
  /** Of the job that the event started, if the server created one. */
  readonly token?: string | undefined;
  /** Of the run that the server created for it. */
  readonly runId?: string | undefined;
}

export interface AgentRunOptions extends Pick<RunOptions, 'signal' | 'clock'> {
  readonly inputs?: Partial<AgentInputs>;
  readonly run?: { readonly runId?: string; readonly runAttempt?: number };
}

/** Faults that only a server of the tests has. */
interface AgentFaults {
  /** The next comment is created, and the reply is lost. */
  loseClaim(): void;
  /** Permission lookups fail. */
  failPermissions(): void;
  /** From the nth change on, comments are not changed any more, as after a kill of the run. Default: from the first. */
  breakUpdates(nth?: number): void;
  /** Comments can be changed again. */
  allowUpdates(): void;
  /** The next reactions are set, and the replies are lost. */
  loseReaction(times: number): void;
  /** The comment of an event has another text, or is deleted. */
  rewrite(event: AgentEvent, body: string | undefined): void;
  /** A comment by our account, as a killed run wrote it. */
  writeAsUs(body: string): Promise<void>;
  /** The run is over, however it ended; of other runs the server does not say. */
  endRun(runId: string): void;
  /** A scheduled run of agent mode without an instruction. */
  runOnSchedule(): Promise<Outcome<AgentFacts>>;
  /** Number of requests to the forge so far. */
  countRequests(): number;
}

/** What happens to the pull request besides comments; only on servers of the tests. */
interface AgentChanges {
  /** Adds a file to the default branch. */
  putFile(path: string, text: string): void;
  /** The pull request is merged; returns the events of the merge. */
  merge(who: Who): { readonly closed: AgentEvent; readonly push: AgentEvent };
  /** It is closed without being merged. */
  abandon(who: Who): AgentEvent;
  /** A label is added. */
  labelled(who: Who, name: string): AgentEvent;
  /** A label is taken away. */
  unlabelled(who: Who, name: string): AgentEvent;
  /** The pull request gets another title. */
  edit(title: string): void;
}

/** A repository of a forge with an open pull request by the writer, and people around it. */
export interface AgentSite extends AsyncDisposable {
  readonly platform: Emulator;
  readonly logins: Readonly<Record<Who, string>>;
  /** The address of the repository, as the platform knows it. */
  readonly repositoryUrl: string;
  /** The address of a pull request. */
  pullUrl(number: number): string;
  /** A line of the diff. */
  readonly addedLine: string;
  /** `owner/name`. */
  readonly repository: string;
  /** The pull request of new comments. */
  readonly pullNumber: number;
  say(who: Who, body: string): Promise<AgentEvent>;
  /** A comment by a bot, not written with a person's token. */
  sayAsBot(body: string): Promise<AgentEvent & { readonly login: string }>;
  /** A person edits the comment of an event; returns the event of the edit. */
  edit(event: AgentEvent, body: string): Promise<AgentEvent>;
  /** The same event, as if another person had caused it. */
  sentBy(event: AgentEvent, who: Who): AgentEvent;
  push(): Promise<void>;
  label(who: Who, name: string): Promise<void>;
  close(): Promise<void>;
  /** From now on, comments are on a pull request from the stranger's fork. Its diff contains `EVIL-PATCH`. */
  openFork(): Promise<void>;
  run(event: AgentEvent, options?: AgentRunOptions): Promise<Outcome<AgentFacts>>;
  /** A run without a comment, with the input `prompt`. */
  runPrompt(eventName: string, who: Who | undefined): Promise<Outcome<AgentFacts>>;
  /** The visible texts of our status comments on that pull request, without the record in them. */
  statusComments(): Promise<string[]>;
  removeStatusComments(): Promise<void>;
  /** How our account has reacted to the comment of an event. */
  reactions(event: AgentEvent): Promise<string[]>;
  readonly faults?: AgentFaults | undefined;
  readonly changes?: AgentChanges | undefined;
}
