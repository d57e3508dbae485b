import { type Account, EXEMPT_EVENTS } from '../../forge/github/event.ts';
import { isAtLeast } from '../../forge/github/permission.ts';
import { refuse, type Session, type Stop } from './session.ts';

/** Who may give the instruction; everyone else gets a reason. Throws `network` when GitHub cannot tell. */
export async function checkPerson(session: Session): Promise<Account | undefined | Stop> {
  const { trigger, deps } = session;
  if (trigger.kind === 'comment') {
    const { author, sender } = trigger;
    if (author.id !== sender.id || author.login !== sender.login) {
      return refuse(`The comment is by ${author.login}, but ${sender.login} caused the event.`);
    }
    return checkAccount(session, author);
  }
  if (EXEMPT_EVENTS.has(deps.github.run.eventName)) return trigger.sender;
  if (trigger.sender === undefined) {
    return refuse(`The payload of ${deps.github.run.eventName} does not say who caused it.`);
  }
  return checkAccount(session, trigger.sender);
}

async function checkAccount({ inputs, permissions }: Session, account: Account): Promise<Account | Stop> {
  if (isBot(account)) {
    return isAllowedBot(account, inputs.allowedBots)
      ? account
      : refuse(`${account.login} is a bot that allowed-bots does not name.`);
  }
  const rank = await permissions.rank(account.login);
  if (isAtLeast(rank, inputs.requiredPermission)) return account;
  const has = rank === 'none' ? 'no permission' : `the permission ${rank}`;
  return refuse(`${account.login} has ${has} here; a command needs ${inputs.requiredPermission}.`);
}

export function isBot({ login, type }: Account): boolean {
  return type !== 'User' || login.endsWith('[bot]');
}

// A person can have the login of a bot without its ending, so the type must say Bot as well.
export function isAllowedBot({ login, type }: Account, allowed: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\[bot\]$/, '');
  return type === 'Bot' && allowed.some((name) => bare(name) === bare(login));
}

const SEES_DENIALS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** Whether an answer to someone who may not command is written: strangers could have the action write at will. */
export function seesDenial({ trigger }: Session): boolean {
  return trigger.kind === 'comment' && SEES_DENIALS.has(trigger.association);
}
