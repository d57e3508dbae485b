import { CourierError } from '../../errors.ts';
import { getPullRequest, type PullRequest } from '../../forge/github/pull-request.ts';
import type { AgentMessageReply } from '../../platform/contract.ts';
import { LEAST_DATA_BYTES, type Prompt } from '../../prompt/compose.ts';
import { byteLength } from '../../text/characters.ts';
import { formatDuration } from '../../text/markdown.ts';
import { refuse, type Session, type Stop } from './session.ts';

export interface Sending {
  readonly session: Session;
  readonly jobId: string;
  readonly prompt: Prompt;
  /** A prompt of at most so many bytes; for a platform that takes less than we were told. */
  readonly compose: (limitBytes: number) => Prompt;
}

/** A Stop when the pull request was pushed to since it was read. */
export async function checkHead({ octokit, repository }: Session, pull: PullRequest): Promise<Stop | undefined> {
  const now = await getPullRequest({ octokit, repository, number: pull.number });
  if (now.head.sha === pull.head.sha) return undefined;
  return refuse(
    'The pull request was pushed to after the command. Look at what came in, and write the command in a new comment.',
  );
}

/** Sends the message, once. A prompt that the platform refuses for its size or shape is halved and sent a second time. */
export async function sendMessage(sending: Sending): Promise<AgentMessageReply> {
  try {
    return await post(sending, sending.prompt);
  } catch (error) {
    // 400 and 413 say that the message was not taken, so a second one cannot be a repetition.
    if (!(error instanceof CourierError) || (error.httpStatus !== 400 && error.httpStatus !== 413)) throw advise(error);
    const half = sending.compose(halfOf(sending.prompt));
    // Where the instruction is most of it, nothing is left to take away.
    if (half.bytes >= sending.prompt.bytes) throw tooLarge(error, error);
    sending.session.deps.log.info(`${error.message} Trying once more with half of the context.`);
    return retryHalf({ ...sending, prompt: half }, error);
  }
}

// The instruction stays whole: a message without it would say nothing.
function halfOf({ bytes, instruction }: Prompt): number {
  return Math.max(Math.floor(bytes / 2), byteLength(instruction) + LEAST_DATA_BYTES);
}

async function retryHalf(sending: Sending, first: CourierError): Promise<AgentMessageReply> {
  try {
    return await post(sending, sending.prompt);
  } catch (error) {
    if (!(error instanceof CourierError) || (error.httpStatus !== 400 && error.httpStatus !== 413)) throw advise(error);
    throw tooLarge(error, first);
  }
}

function tooLarge({ message, httpStatus }: CourierError, cause: CourierError): CourierError {
  return new CourierError({
    code: 'config',
    message: `The platform takes the message neither whole nor with half of its context. ${message}`,
    hint: { text: 'Lower context-limit:', inputs: { 'context-limit': '16KiB' } },
    cause,
    httpStatus,
  });
}

async function post({ session, jobId }: Sending, prompt: Prompt): Promise<AgentMessageReply> {
  const { deps, inputs } = session;
  const { value } = await deps.platform.sendAgentMessage({ projectId: inputs.projectId, id: jobId }, prompt.text);
  return value;
}

function advise(error: unknown): unknown {
  if (!(error instanceof CourierError)) return error;
  const { code, cause = error, httpStatus, retryAfterMs, mayHaveStarted } = error;
  if (code === 'rate-limited') {
    const when = retryAfterMs === undefined ? 'within the hour' : `in ${formatDuration(retryAfterMs)}`;
    return new CourierError({
      code,
      message: `The platform takes no more messages for this project now. ${error.message}`,
      hint: `Write the command again ${when}. The platform takes 100 messages per project and hour.`,
      cause,
      httpStatus,
      retryAfterMs,
    });
  }
  if (!mayHaveStarted) return error;
  return new CourierError({
    code,
    message: `${error.message} The instruction may have been sent, and the agent may have started; it is not sent again.`,
    hint: 'Look at the agent job on the dashboard of the platform; if the instruction is not there, write the command in a new comment.',
    cause,
    httpStatus,
    mayHaveStarted,
  });
}
