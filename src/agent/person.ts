import { CourierError } from '../errors.ts';
import type { Account, Rank } from '../forges/port.ts';
import { type AgentInputs, PERMISSIONS, type Permission } from '../inputs/inputs.ts';
import { refuse, type Session, type Stop, tryTo } from './session.ts';

const SCALE: readonly string[] = PERMISSIONS;

export function isAtLeast(rank: Rank, required: Permission): boolean {
  return rank !== 'none' && SCALE.indexOf(rank) >= SCALE.indexOf(required);
}

/**
 * Everybody on the internet has `read` in a public repository, so that `required-permission: read` would let everybody
 * command. It takes a second input to say that this is meant.
 */
export async function checkAudience({ inputs, forge, deps, trigger }: Session): Promise<void> {
  if (inputs.requiredPermission !== 'read' || (trigger.kind === 'prompt' && trigger.isFromWriter)) return;
  if (!(await forge.isPublic())) return;
  const what = `${deps.forge.repository} is public, so required-permission: read lets everybody command the agent.`;
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
      text: 'Set required-permission to triage or more. If everybody is meant, also set:',
      inputs: { 'allow-outside-text': 'true' },
    },
  });
}

/** Who may give the instruction; everyone else gets a reason. Throws `network` when the forge cannot say. */
export async function checkPerson({ trigger, inputs, forge }: Session): Promise<Account | undefined | Stop> {
  if (trigger.kind === 'comment') {
    const { author, sender } = trigger;
    if (author.id !== sender.id || author.login !== sender.login) {
      return refuse(`The comment is by ${author.login}, but ${sender.login} caused the event.`);
    }
    return checkAccount(author, inputs, (account) => forge.rank(account));
  }
  if (trigger.isFromWriter) return trigger.sender;
  if (trigger.sender === undefined) return refuse('The event does not say who caused it.');
  return checkAccount(trigger.sender, inputs, (account) => forge.rank(account));
}

async function checkAccount(
  account: Account,
  inputs: AgentInputs,
  rankOf: (account: Account) => Promise<Rank>,
): Promise<Account | Stop> {
  if (account.kind !== 'person') {
    return isAllowedBot(account, inputs.allowedBots)
      ? account
      : refuse(`${account.login} is a bot that allowed-bots does not name.`);
  }
  const rank = await rankOf(account);
  if (isAtLeast(rank, inputs.requiredPermission)) return account;
  const has = rank === 'none' ? 'no permission' : `the permission ${rank}`;
  return refuse(`${account.login} has ${has} here; a command needs ${inputs.requiredPermission}.`);
}

// A person can have the login of a bot without its ending, so the kind must say bot as well.
export function isAllowedBot({ login, kind }: Account, allowed: readonly string[]): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\[bot\]$/, '');
  return kind === 'bot' && allowed.some((name) => bare(name) === bare(login));
}

/** Whether an answer to someone who may not command is written: strangers could have the action write at will. */
export async function seesDenial({ trigger, forge, deps }: Session): Promise<boolean> {
  if (trigger.kind !== 'comment') return false;
  if (trigger.isMember !== undefined) return trigger.isMember;
  // A stranger turns no run red, whatever fails.
  const what = 'Finding out whether the person belongs to the repository';
  return (await tryTo(deps, what, async () => forge.isMember?.(trigger.author))) ?? false;
}
