import { runEmulator } from './command.ts';

let isOutputLost = false;
// Without a listener, `console` drops the error. It may come when the emulator has ended.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isOutputLost)
    console.error(`Standard output could not be written: ${error.code ?? error.name}.`);
  isOutputLost = true;
  process.exitCode ||= 1;
});

await runEmulator(process.argv.slice(2), 'clone');
