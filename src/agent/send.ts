import { CourierError, hasCode } from '../errors.ts';
import type { AgentJob, AgentMessageReply } from '../platform/contract.ts';
import { LEAST_DATA_BYTES, type Prompt } from '../prompt/compose.ts';
import { byteLength } from '../text/escape.ts';
import { formatDuration } from '../text/markdown.ts';
import type { Session } from './session.ts';

/** A prompt of at most so many bytes; for a platform that accepts less than `context-limit` allows. */
export type Compose = (limitBytes: number) => Prompt;

/** Sends the message, once. A prompt that the platform refuses for its size or shape is halved and sent a second time. */
export async function sendMessage(
  session: Session,
  jobId: string,
  prompt: Prompt,
  compose: Compose,
): Promise<AgentMessageReply> {
  try {
    return await post(session, jobId, prompt);
  } catch (error) {
    // 400 and 413 say that the message was not taken, so a second one cannot be a repetition.
    if (!wasTooLarge(error)) throw advise(error);
    const half = compose(halfOf(prompt));
    // Where the instruction is most of it, nothing is left to take away.
    if (half.bytes >= prompt.bytes) throw tooLarge(error);
    session.deps.log.info(`${error.message} Trying once more with half of the context.`);
    try {
      return await post(session, jobId, half);
    } catch (second) {
      throw wasTooLarge(second) ? tooLarge(second) : advise(second);
    }
  }
}

function wasTooLarge(error: unknown): error is CourierError {
  return error instanceof CourierError && (error.httpStatus === 400 || error.httpStatus === 413);
}

// The instruction stays whole: a message without it would say nothing.
function halfOf({ bytes, instruction }: Prompt): number {
  return Math.max(Math.floor(bytes / 2), byteLength(instruction) + LEAST_DATA_BYTES);
}

function tooLarge(error: CourierError): CourierError {
  return error.with({
    code: 'config',
    message: `The platform does not accept the message, even with half of its context. ${error.message}`,
    hint: { text: 'Lower context-limit:', inputs: { 'context-limit': '16KiB' } },
  });
}

async function post({ deps, inputs }: Session, jobId: string, prompt: Prompt): Promise<AgentMessageReply> {
  const { value } = await deps.platform.sendAgentMessage({ projectId: inputs.projectId, id: jobId }, prompt.text);
  return value;
}

/** Makes a new job, once, with the instruction alone: which repository it works on is known only from the reply. */
export async function createJob({ deps, inputs }: Session, instruction: string): Promise<AgentJob> {
  try {
    const { value } = await deps.platform.createAgentJob(inputs.projectId, instruction);
    return value;
  } catch (error) {
    if (!(error instanceof CourierError) || !error.mayHaveStarted) throw advise(error);
    throw error.with({
      message: `${error.message} A new agent job may have been made; no second one is made for this pull request.`,
      hint: 'Open the dashboard of the platform. If the job is there, write the command again with --job ID; if it is not, make one there.',
    });
  }
}

function advise(error: unknown): unknown {
  if (hasCode(error, 'rate-limited')) {
    const when = error.retryAfterMs === undefined ? 'within the hour' : `in ${formatDuration(error.retryAfterMs)}`;
    return error.with({
      message: `The platform accepts no more messages for this project at the moment. ${error.message}`,
      hint: `Write the command again ${when}. The platform accepts 100 messages per project and hour.`,
    });
  }
  if (!(error instanceof CourierError) || !error.mayHaveStarted) return error;
  return error.with({
    message: `${error.message} The instruction may have been sent, and the agent may have started; it is not sent again.`,
    hint: 'Open the agent job on the dashboard of the platform. If the instruction is not there, write the command in a new comment.',
  });
}
