import type { RecordState, StatusRecord } from './status-record.ts';
import type { StatusPhase } from './status-view.ts';

/** The state that the record has while the comment shows a phase. */
export function stateOf(phase: StatusPhase): RecordState {
  switch (phase.kind) {
    case 'sending':
    case 'creating':
      return 'sending';
    case 'sent':
    case 'working':
      return 'sent';
    case 'refused':
    case 'help':
      return 'answered';
    case 'error':
    case 'cancelled':
      return phase.sent ? 'done' : 'answered';
    default:
      return 'done';
  }
}

/** What a claim comes to whose run is gone. */
export function phaseOf({ state, version, job }: StatusRecord): StatusPhase {
  if (state !== 'sending') return { kind: 'detached' };
  return version === 2 && job === undefined ? { kind: 'maybe-created' } : { kind: 'unclear' };
}
