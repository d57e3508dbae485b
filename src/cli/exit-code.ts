import type { ErrorCode } from '../errors.ts';
import type { Ending, ExitRule } from '../run/finish.ts';

const OF_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  config: 2,
  'timed-out': 3,
  'checks-failed': 4,
  refused: 5,
};

/** What a shell gives a command that the signal has ended. */
const OF_SIGNAL: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

export function exitCodeOf({ code, signal }: { code: ErrorCode | undefined; signal: unknown }): number {
  if (code === undefined) return 0;
  if (code === 'cancelled') return OF_SIGNAL[String(signal)] ?? 130;
  return OF_CODE[code] ?? 1;
}

/** `signal` gives the one that the process received. A commenter who may not command is no failure. */
export function exitRule(signal: () => unknown): ExitRule {
  return ({ status, mode, errorCode }: Ending) => {
    if (status === 'refused' && mode === 'agent') return 0;
    if (status === 'cancelled') return exitCodeOf({ code: 'cancelled', signal: signal() });
    if (status === 'refused' || status === 'timed-out') return exitCodeOf({ code: status, signal: signal() });
    return status === 'failed' ? exitCodeOf({ code: errorCode ?? 'io', signal: signal() }) : 0;
  };
}
