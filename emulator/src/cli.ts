import { runEmulator } from './command.ts';

await runEmulator(process.argv.slice(2));
