import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { checkReceipt } from '../publish/receive-bundle.ts';
import { broken, type Check, failed, ok } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

/** Where a run writes: its report, and the bundle with the site. */
export async function checkFolders(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const { temp, workspace } = deps.run;
  const link = inputs.export ?? inputs.refresh;
  const isReceived = link?.bundle.bundlePath !== undefined || link?.bundle.extractTo !== undefined;
  const findings = [await folderFinding('Temporary folder', temp)];
  if (link === undefined || !isReceived) return findings;
  findings.push(await folderFinding('Workspace', workspace));
  try {
    await checkReceipt(link, deps);
    findings.push(ok('Destinations', 'bundle-path and extract-to may be written.'));
  } catch (error) {
    findings.push(failed('Destinations', error));
  }
  return findings;
}

async function folderFinding(what: string, path: string): Promise<Check> {
  try {
    await access(path, constants.W_OK);
    return ok(what, `${path} can be written.`);
  } catch {
    return broken(
      what,
      `${path} cannot be written.`,
      "Check that it exists and that the runner's user may write there.",
    );
  }
}
