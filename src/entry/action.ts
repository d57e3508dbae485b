import { createGiteaRunner } from '../ci/gitea/runner.ts';
import { actionStep } from '../ci/github/core.ts';
import { createRunner, giteaKind, readActionInputs } from '../ci/github/runner.ts';
import { systemClock } from '../ground/clock.ts';
import { CourierError } from '../ground/errors.ts';
import { createLog } from '../ground/log.ts';
import { warnOfUncheckedTls } from '../http/certificates.ts';
import { MODES } from '../modes.ts';
import { main } from '../run/main.ts';
import { keepHeapSmall, runProcess } from './process.ts';

keepHeapSmall();
const workflow = createRunner(process.env, actionStep);
const gitea = giteaKind(process.env);
const runner = gitea === undefined ? workflow : createGiteaRunner(gitea, workflow, process.env);
const source = readActionInputs(process.env);
const log = createLog(runner.toolkit);
warnOfUncheckedTls(process.env, log);

await runProcess(
  (signal) => main({ modes: MODES, runner, source, log, clock: systemClock, signal }),
  {
    endsOnSignals: true,
    // Nothing reads standard output any more: the runner itself has ended.
    onLostOutput: 'end',
    signalExitCode: () => 1,
    showSignal: (signal) => log.info(`Received ${signal}, exiting.`),
    showFault(fault) {
      if (fault instanceof CourierError) {
        // `main` throws this if outputs cannot be written: so the error is shown in the log.
        const hint = fault.hint === undefined ? '' : `\n${runner.showHint(fault.hint)}`;
        log.error(`${fault.message}${hint}`, { title: `Docs Courier: ${fault.code}` });
        return;
      }
      if (!(fault instanceof Error)) return log.error('Docs Courier itself failed: unknown fault');
      // One line, redacted like every other; the stack only if debugging is on.
      log.error(`Docs Courier itself failed: ${fault.name}: ${fault.message}`);
      for (const line of fault.stack?.split('\n') ?? []) log.debug(line);
    },
  },
);
