import { CourierError, hasCode } from '../errors.ts';
import { plainLine } from '../text/escape.ts';

/** A failed question about what an account may do: `network` unless the reason is clear, and never a "no". */
export function rankUnknown(error: unknown, login: string, forgeName: string): unknown {
  if (!(error instanceof CourierError) || error.code === 'cancelled') return error;
  const isClear = hasCode(error, 'forbidden', 'unauthorized', 'rate-limited');
  return error.with({
    code: isClear ? error.code : 'network',
    message: `The permission of ${plainLine(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
    hint: error.hint ?? `Run the job again when ${forgeName} answers.`,
  });
}
