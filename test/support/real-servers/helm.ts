import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serverProgram } from './program.ts';

const run = promisify(execFile);

/** Runs the real Helm. Returns its output; throws with it if Helm fails. */
export async function helm(
  kubeconfigFile: string,
  home: string,
  ...args: readonly string[]
): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: kubeconfigFile };
  const { stdout } = await run(serverProgram('helm'), [...args], { env });
  return stdout;
}
