import { formatBanner } from './banner.ts';
import { type CliArguments, chooseKeys, readArguments, USAGE } from './cli-arguments.ts';
import { type Emulator, startEmulator } from './platform/emulator.ts';
import { randomKeys } from './platform/keys.ts';
import { readS3Options } from './platform/s3-options.ts';

function start(options: CliArguments): Promise<Emulator> {
  return startEmulator({
    sites: options.sites,
    port: options.port,
    keys: chooseKeys(options, randomKeys()),
    projectId: options.projectId,
    linkLifetimeMs: options.linkLifetimeMs,
    exportJobs: { advance: 'time', durationMs: options.exportDurationMs },
    agentJobs: { advance: 'time', durationMs: options.agentDurationMs },
    searchLag: { ms: options.searchLagMs },
    s3: readS3Options(options, process.env),
    log: options.quiet ? undefined : (line) => console.log(`${new Date().toISOString()} ${line}`),
  });
}

async function main(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const emulator = await start(options);
  for (const job of options.agentJobs) emulator.addAgentJob(job);
  console.log(formatBanner(emulator, options));
  const stop = () => void emulator.close();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error('Run it with --help to see every option.');
  process.exitCode = 1;
}
