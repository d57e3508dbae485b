import { CourierError } from '../errors.ts';
import { type DeliveryContext, runIds, stateFrame } from './scope.ts';

/** The note, in the state, of an export that this run starts: what a later attempt of the run goes by. */
export interface ExportNote {
  /** Notes that an export is about to be started; proves that the state can be written. */
  markStarting(): Promise<void>;
  markStarted(jobId: string): Promise<void>;
  /** Takes the note back after a start that was refused: nothing is running. Best effort. */
  unmarkStarting(): Promise<void>;
}

export function createExportNote(context: DeliveryContext): ExportNote {
  const { book, found, deps } = context;

  // Job and expiry of the link that the secret still holds stay: a refresh in between must go on working.
  async function mark(run: { state: 'starting' | 'started'; jobId?: string }): Promise<void> {
    const { jobId, expiresAt } = found ?? {};
    await book.write({ ...stateFrame(context), jobId, expiresAt, run: { ...runIds(context), ...run } });
  }

  return {
    markStarting: () => mark({ state: 'starting' }),
    async markStarted(jobId) {
      try {
        await mark({ state: 'started', jobId });
      } catch (error) {
        // The run ends here, and nothing but the log tells a person how to go on with what was started.
        deps.log.info(
          `Export job ${jobId} goes on. To attach another run to it, add to the step: export-job-id: ${jobId}`,
        );
        throw error;
      }
    },
    async unmarkStarting() {
      try {
        await book.restore(stateFrame(context));
      } catch (error) {
        if (!(error instanceof CourierError)) throw error;
        deps.log.debug(`The note of the start was not taken back: ${error.message}`);
      }
    },
  };
}
