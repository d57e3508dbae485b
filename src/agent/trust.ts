import type { Account, PullRequest, Rank } from '../github/pull-request.ts';
import { CourierError, configError, courierError, hasCode } from '../ground/errors.ts';
import { PERMISSIONS, type Permission } from '../values/values.ts';
import { withCommit } from './command.ts';
import { type Conversation, refuse, type Session, Stop, skip } from './session.ts';

const LEAST_TO_MOST: readonly Rank[] = ['none', ...PERMISSIONS];

export function isAtLeast(rank: Rank, required: Permission): boolean {
  return LEAST_TO_MOST.indexOf(rank) >= LEAST_TO_MOST.indexOf(required);
}

/**
 * Ends the run if everyone on the internet could command the agent: everyone has `read` in a public
 * repository. The input allow-outside-text turns this into a warning.
 */
export async function checkAudience(session: Session): Promise<void> {
  const { inputs, repo, deps, trigger } = session;
  // Not everyone may command, or can cause this event.
  if (inputs.requiredPermission !== 'read' || isByWriter(trigger)) return;
  if (!(await repo.isPublic())) return;
  const problem = `${deps.github.run.repository} is public, so required-permission: read lets everyone on the internet command the agent.`;
  if (inputs.allowOutsideText) {
    deps.log.warning(
      `${problem} Anyone can use up messages and have the agent propose changes. Safer is required-permission: write.`,
    );
    return;
  }
  throw configError(`${problem} Nothing was sent.`, {
    text: 'Set required-permission to triage or more. If that is what you want, also set:',
    inputs: { 'allow-outside-text': 'true' },
  });
}

/** True if only a person with write permission can have caused the event. */
function isByWriter(trigger: Conversation['trigger']): boolean {
  return trigger.kind === 'prompt' && trigger.isFromWriter;
}

/**
 * Gives the account that gave the instruction, if it may; undefined for a workflow whose event
 * names none. Throws a Stop with the reason if it may not, and `network` if GitHub cannot say.
 */
export async function checkPerson(conversation: Conversation): Promise<Account | undefined> {
  const { trigger, inputs, repo } = conversation;
  const sender = trigger.sender;
  // Nothing is left to look up; a schedule names no sender.
  if (isByWriter(trigger)) return sender;
  if (sender === undefined) {
    throw refuse(
      'The event does not say who caused it, as in most CI systems. Run this mode in GitHub Actions, or on your own machine.',
    );
  }
  // What the sender may do must not count for a comment that another account wrote.
  if (trigger.kind === 'comment' && !isSameAccount(trigger.author, sender)) {
    const author = trigger.author.login;
    throw refuse(`The comment is by ${author}, but ${sender.login} caused the event.`);
  }
  if (sender.kind !== 'person') {
    if (isAllowedBot(sender, inputs.allowedBots)) return sender;
    throw refuse(`${sender.login} is a bot that allowed-bots does not name.`);
  }
  const rank = await repo.rank(sender);
  if (isAtLeast(rank, inputs.requiredPermission)) return sender;
  const held = rank === 'none' ? 'no permission' : `the permission ${rank}`;
  throw refuse(`${sender.login} has ${held} here; a command needs ${inputs.requiredPermission}.`);
}

function isSameAccount(one: Account, other: Account): boolean {
  return one.id === other.id && one.login === other.login && one.kind === other.kind;
}

// A person can have the login of a bot without its ending, so the kind must say bot as well.
export function isAllowedBot(account: Account, allowed: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\[bot\]$/, '');
  return account.kind === 'bot' && allowed.some((name) => bare(name) === bare(account.login));
}

/**
 * Whether a person who may not command gets an answer. Only members do: strangers could make the
 * action write as often as they like.
 */
export function seesDenial(conversation: Conversation): boolean {
  return conversation.trigger.kind === 'comment' && conversation.trigger.isMember;
}

/**
 * Whether the author of a command gets to see a failure: a person who may command does. If GitHub
 * cannot say who may, members do.
 */
export async function seesFailure(conversation: Conversation): Promise<boolean> {
  const { inputs, repo } = conversation;
  try {
    // If everyone on the internet may command by mistake, only members (triage) get answers: each
    // answer to a stranger would be a write.
    const mayBeAnyone = inputs.requiredPermission === 'read' && !inputs.allowOutsideText;
    const isMistake = mayBeAnyone && (await repo.isPublic());
    const requiredPermission = isMistake ? 'triage' : inputs.requiredPermission;
    await checkPerson({ ...conversation, inputs: { ...inputs, requiredPermission } });
    return true;
  } catch (error) {
    // The Stop of `checkPerson`: the author may not command.
    if (error instanceof Stop) return false;
    // GitHub could not say who may command.
    if (error instanceof CourierError) return seesDenial(conversation);
    throw error;
  }
}

// One lookup per author. With more authors than this, the texts of the rest are counted and not
// quoted.
const MAX_LOOKUPS = 60;

/** Whose text may be quoted to the agent. */
export interface Trust {
  /** Title, description. */
  readonly pullText: boolean;
  /** The diff, with the names of its files and branches; only if `pullText` is true too. */
  readonly diff: boolean;
  /** For a comment: whether its author may be quoted; undefined for a deleted account. */
  readonly mayQuote: (author: Account | undefined) => Promise<boolean>;
}

/**
 * Decides whose text may be quoted. `madeThisPull`: the agent job made the pull request, so title
 * and description are the agent's own text.
 */
export async function readTrust(
  session: Session,
  pull: PullRequest,
  madeThisPull: boolean,
): Promise<Trust> {
  const { trigger, inputs } = session;
  // The event changed the pull request without showing it, as a push does. So its text of now
  // cannot be compared with what a person has read, and outsiders may have changed it since.
  const mayHaveChanged =
    trigger.kind === 'prompt' && trigger.change !== undefined && trigger.seen === undefined;
  if (inputs.allowOutsideText && !mayHaveChanged)
    return { pullText: true, diff: true, mayQuote: async () => true };
  const mayQuote = authorLookup(session);
  const pullText = madeThisPull || (await mayQuote(pull.author));
  return { pullText, diff: pullText && isHeadByAuthor(session, pull), mayQuote };
}

/**
 * Gives a function that says whether an author may be quoted. People beyond the first MAX_LOOKUPS,
 * and people who cannot be looked up, may not.
 */
function authorLookup(session: Session): Trust['mayQuote'] {
  const { inputs, repo, deps } = session;
  const lookedUp = new Set<number>();
  let hasWarned = false;
  return async (account) => {
    if (account === undefined) return false;
    if (account.kind !== 'person') return isAllowedBot(account, inputs.allowedBots);
    // The repository keeps the ranks of those who were looked up, so these cost no more requests.
    if (!lookedUp.has(account.id) && lookedUp.size >= MAX_LOOKUPS) return false;
    lookedUp.add(account.id);
    try {
      return isAtLeast(await repo.rank(account), inputs.requiredPermission);
    } catch (error) {
      // Any other failure, such as a token that is not accepted, ends the run.
      if (!hasCode(error, 'network', 'forbidden', 'rate-limited')) throw error;
      if (!hasWarned)
        deps.log.warning(
          `${error.message} Text whose author could not be looked up is not quoted.`,
        );
      hasWarned = true;
      return false;
    }
  };
}

/**
 * True if the diff may be quoted when the pull request's author may be. To a branch of this
 * repository only its writers push; to one of a fork its owner does, who must be that author.
 */
function isHeadByAuthor(session: Session, pull: PullRequest): boolean {
  if (isHeadHere(session, pull)) return true;
  const owner = pull.head.repository?.toLowerCase().split('/')[0];
  return owner !== undefined && owner === pull.author?.login.toLowerCase();
}

/** True if the head is a branch of this repository, and not of a fork. */
function isHeadHere(session: Session, pull: PullRequest): boolean {
  const here = session.deps.github.run.repository.toLowerCase();
  return pull.head.repository?.toLowerCase() === here;
}

/**
 * Ends the run if the head of the pull request may differ from the one that the person who commands
 * has seen.
 */
export async function checkPinnedHead(session: Session, pull: PullRequest): Promise<void> {
  const { trigger, command, repo, inputs } = session;
  const head = pull.head.sha;
  if (trigger.kind !== 'comment') {
    // Some events, such as a push, contain no head of a pull request: there is nothing to compare.
    const seenHead = seenPull(session)?.headSha;
    if (seenHead !== undefined && seenHead !== head) throw pushedSince('event');
    return;
  }
  // Any other command has ended the run before this check.
  const instruction = command.kind === 'instruction' ? command : undefined;
  // The person names the commit that was reviewed: then it decides, and no time is compared.
  const pinned = instruction?.sha;
  if (pinned !== undefined) {
    if (pinned === head.toLowerCase()) return;
    throw refuse(
      `The head of the pull request is ${head}, and --sha names ${pinned}. Review what was pushed, and write the command in a new comment.`,
    );
  }
  const pushedAtMs = await repo.headPushedAtMs(pull);
  if (pushedAtMs !== undefined) {
    // Times have whole seconds: a push in the same second may have come after the command.
    if (pushedAtMs >= trigger.createdAtMs) throw pushedSince();
    return;
  }
  // GitHub does not say when the head was pushed. That is harmless if only people who may be quoted
  // can have pushed: without allow-outside-text no other diff is sent, and to a branch of this
  // repository only its writers push.
  if (!inputs.allowOutsideText || isHeadHere(session, pull)) return;
  const example = withCommit(inputs.command, instruction?.written ?? '', head);
  // The colon announces the example, which is left out if it is too long.
  const end = example === undefined ? '.' : ':';
  throw refuse(
    `The head comes from a fork, text of outsiders is sent (allow-outside-text), and GitHub does not say when the head was last pushed to. So the diff could differ from the one that you have read. Review it, and write the same command with its commit, --sha ${head} directly after ${inputs.command}${end}`,
    example,
  );
}

/** The pull request as the event shows it, if the instruction is about that one. */
export function seenPull(session: Session) {
  const trigger = session.trigger;
  // Events about comments do not all contain the head.
  if (trigger.kind === 'comment')
    return { ...trigger.pull, headSha: undefined, atMs: trigger.createdAtMs };
  if (trigger.seen?.number === session.pullNumber) return trigger.seen;
  return undefined;
}

/**
 * Ends the run if the comment was edited or deleted since the event: readers of the page must see
 * the instruction that is carried out, and that is the text in the event.
 */
export async function checkNotEdited(session: Session): Promise<void> {
  const { trigger, comment, repo } = session;
  if (trigger.kind !== 'comment') return;
  if (comment === undefined) {
    // The person took the command back and waits for no answer: the page shows nothing of a skip.
    if (await repo.isGone(trigger))
      throw skip('The comment with the command was deleted, so nothing was sent.');
    throw courierError(
      'not-found',
      `Not sent: GitHub answers 404 about the comment with the command, and does not show that it was deleted.`,
      {
        text: 'Give the token of the job the permission:',
        permissions: { 'pull-requests': 'write' },
      },
    );
  }
  if (comment.isHidden)
    throw refuse('The comment was hidden before the command was carried out. Nothing was sent.');
  // The person waits for the new text to be carried out: the page shows a refusal.
  if (comment.body !== trigger.body) {
    throw refuse(
      'The comment was edited before the command was carried out. Write the command in a new comment.',
    );
  }
}

/** The Stop for a head that was pushed after the command or event, so that no person saw it. */
export function pushedSince(instructedBy: 'command' | 'event' = 'command'): Stop {
  const again =
    instructedBy === 'command' ? 'write the command in a new comment' : 'instruct the agent again';
  return refuse(
    `The pull request was pushed to after the ${instructedBy}. Review what was pushed, and ${again}.`,
  );
}
