import { CourierError, hasCode } from '../errors.ts';
import type { Account, PullRequest, Rank } from '../github/pull-request.ts';
import type { Permission } from '../values/values.ts';
import { PERMISSIONS } from '../values/values.ts';
import { withCommit } from './command.ts';
import { type Conversation, refuse, type Session, Stop, skip } from './session.ts';

const SCALE: readonly string[] = PERMISSIONS;

export function isAtLeast(rank: Rank, required: Permission): boolean {
  return rank !== 'none' && SCALE.indexOf(rank) >= SCALE.indexOf(required);
}

/**
 * Everyone on the internet has `read` in a public repository: that it is enough takes a second
 * input.
 */
export async function checkAudience({ inputs, repo, deps, trigger }: Conversation): Promise<void> {
  if (inputs.requiredPermission !== 'read' || (trigger.kind === 'prompt' && trigger.isFromWriter))
    return;
  if (!(await repo.isPublic())) return;
  const what = `${deps.github.run.repository} is public, so required-permission: read lets everyone on the internet command the agent.`;
  if (inputs.allowOutsideText) {
    deps.log.warning(
      `${what} Anyone can use up messages and have the agent propose changes. Safer is required-permission: write.`,
    );
    return;
  }
  throw new CourierError({
    code: 'config',
    message: `${what} Nothing was sent.`,
    hint: {
      text: 'Set required-permission to triage or more. If that is what you want, also set:',
      inputs: { 'allow-outside-text': 'true' },
    },
  });
}

/**
 * Who may give the instruction; everyone else gets a reason. Throws `network` when GitHub cannot
 * say.
 */
export async function checkPerson({
  trigger,
  inputs,
  repo,
}: Conversation): Promise<Account | undefined> {
  const { sender } = trigger;
  if (trigger.kind === 'prompt' && trigger.isFromWriter) return sender;
  if (sender === undefined) throw refuse('The event does not say who caused it.');
  const { login, id, kind } = trigger.kind === 'comment' ? trigger.author : sender;
  if (id !== sender.id || login !== sender.login) {
    throw refuse(`The comment is by ${login}, but ${sender.login} caused the event.`);
  }
  if (kind !== 'person') {
    if (isAllowedBot({ login, id, kind }, inputs.allowedBots)) return sender;
    throw refuse(`${login} is a bot that allowed-bots does not name.`);
  }
  const rank = await repo.rank(sender);
  if (isAtLeast(rank, inputs.requiredPermission)) return sender;
  const has = rank === 'none' ? 'no permission' : `the permission ${rank}`;
  throw refuse(`${login} has ${has} here; a command needs ${inputs.requiredPermission}.`);
}

// A person can have the login of a bot without its ending, so the kind must say bot as well.
export function isAllowedBot({ login, kind }: Account, allowed: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\[bot\]$/, '');
  return kind === 'bot' && allowed.some((name) => bare(name) === bare(login));
}

/**
 * Whether an answer to someone who may not command is written: strangers could have the action
 * write at will.
 */
export function seesDenial({ trigger }: Conversation): boolean {
  return trigger.kind === 'comment' && trigger.isMember;
}

/**
 * Whether a failure is shown to the author of a command: to who may command, and if that cannot be
 * found out, to members.
 */
export async function seesFailure(conversation: Conversation): Promise<boolean> {
  const { inputs, repo } = conversation;
  try {
    // If everyone on the internet may command by mistake, not all of them get answers.
    const isMistake =
      inputs.requiredPermission === 'read' && !inputs.allowOutsideText && (await repo.isPublic());
    const requiredPermission = isMistake ? 'triage' : inputs.requiredPermission;
    await checkPerson({ ...conversation, inputs: { ...inputs, requiredPermission } });
    return true;
  } catch (error) {
    if (error instanceof Stop) return false;
    if (error instanceof CourierError) return seesDenial(conversation);
    throw error;
  }
}

// One lookup per author: a pull request with more authors is a crowd, and the rest of them is
// counted and not quoted.
const MAX_LOOKUPS = 60;

/** Whose text may be quoted to the agent. */
export interface Trust {
  /** Title, description. */
  readonly pullText: boolean;
  /** The diff, with the names of its files and branches. */
  readonly diff: boolean;
  readonly author: (account: Account | undefined) => Promise<boolean>;
}

export async function readTrust(
  session: Session,
  pull: PullRequest,
  madeThis: boolean,
): Promise<Trust> {
  const { trigger, inputs } = session;
  // If the event does not show what was merged or labelled, as in a push, text of outsiders may
  // have changed since.
  const isShown =
    trigger.kind === 'comment' || trigger.change === undefined || trigger.seen !== undefined;
  const allowsOutside = isShown && inputs.allowOutsideText;
  const author = quotesAuthors(session, allowsOutside);
  const pullText = allowsOutside || madeThis || (await author(pull.author));
  return { pullText, diff: pullText && (allowsOutside || ownsHead(session, pull)), author };
}

function quotesAuthors(session: Session, allowsOutside: boolean): Trust['author'] {
  const { inputs } = session;
  const mayCommand = permissionLookup(session);
  return async (account) => {
    if (allowsOutside) return true;
    if (account === undefined) return false;
    return account.kind === 'person'
      ? mayCommand(account)
      : isAllowedBot(account, inputs.allowedBots);
  };
}

/**
 * Looks up who may command; people beyond the first MAX_LOOKUPS, and those who cannot be looked up,
 * may not.
 */
function permissionLookup({ inputs, repo, deps }: Session): (account: Account) => Promise<boolean> {
  const known = new Set<number>();
  let hasWarned = false;
  return async (account) => {
    if (!known.has(account.id) && known.size >= MAX_LOOKUPS) return false;
    known.add(account.id);
    try {
      return isAtLeast(await repo.rank(account), inputs.requiredPermission);
    } catch (error) {
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

// What is on a branch was pushed by those who may push there: writers of this repository, or the
// fork's owner.
function ownsHead(session: Session, { head, author }: PullRequest): boolean {
  const [owner] = head.repository?.toLowerCase().split('/') ?? [];
  return isOwnHead(session, head) || (owner !== undefined && owner === author?.login.toLowerCase());
}

/** The head is a branch of this repository, and not of a fork. */
function isOwnHead({ deps }: Session, head: PullRequest['head']): boolean {
  return head.repository?.toLowerCase() === deps.github.run.repository.toLowerCase();
}

/** Ends the run if the head of the pull request is not what the person who commands has seen. */
export async function checkPinnedHead(session: Session, pull: PullRequest): Promise<void> {
  const { trigger, command, repo, inputs } = session;
  if (trigger.kind !== 'comment') {
    const seen = seenPull(session);
    if (seen !== undefined && seen.headSha !== pull.head.sha) throw pushedSince('event');
    return;
  }
  const pinned = command.kind === 'instruction' ? command.sha : undefined;
  if (pinned !== undefined) {
    if (pinned === pull.head.sha.toLowerCase()) return;
    throw refuse(
      `The head of the pull request is ${pull.head.sha}, and --sha names ${pinned}. Review what was pushed, and write the command in a new comment.`,
    );
  }
  const pushedAtMs = await repo.headPushedAtMs(pull);
  // Times have whole seconds: a push in the same second may have come after the command.
  if (pushedAtMs !== undefined && pushedAtMs >= trigger.createdAtMs) throw pushedSince();
  if (pushedAtMs !== undefined || !inputs.allowOutsideText || isOwnHead(session, pull.head)) return;
  const written = command.kind === 'instruction' ? command.written : '';
  const example = withCommit(inputs.command, written, pull.head.sha);
  throw refuse(
    `The head comes from a fork, text of outsiders is sent (allow-outside-text), and GitHub does not say when the head was last pushed to. So the diff could differ from the one that you have read. Review it, and write the same command with its commit, --sha ${pull.head.sha} directly after ${inputs.command}${example === undefined ? '.' : ':'}`,
    example,
  );
}

/** The pull request as the event shows it, if the instruction is about that one. */
export function seenPull({ trigger, pullNumber }: Session) {
  if (trigger.kind === 'comment')
    return { ...trigger.pull, headSha: undefined, atMs: trigger.createdAtMs };
  return trigger.seen?.number === pullNumber ? trigger.seen : undefined;
}

/**
 * Ends the run when the comment is no longer what the event says: what others read now would not be
 * what is done.
 */
export async function checkSameText({ trigger, repo }: Session): Promise<void> {
  if (trigger.kind !== 'comment') return;
  const text = await repo.textNow(trigger);
  if (text === undefined)
    throw skip('The comment with the command was deleted, so nothing was sent.');
  if (text !== trigger.body) {
    throw refuse(
      'The comment was edited before the command was carried out. Write the command in a new comment.',
    );
  }
}

export function pushedSince(what: 'command' | 'event' = 'command'): Stop {
  const again =
    what === 'command' ? 'write the command in a new comment' : 'instruct the agent again';
  return refuse(
    `The pull request was pushed to after the ${what}. Review what was pushed, and ${again}.`,
  );
}
