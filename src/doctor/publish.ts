import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { checkReceipt } from '../publish/receive-bundle.ts';
import { broken, type Check, type DoctorDeps, failed, ok, warning } from './finding.ts';

/** The workloads whose pods are restarted: that each exists and may be patched, and what a failure could not show. */
export async function checkRollout(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
  if (link?.rollout === undefined) return [];
  const what = 'Rollout';
  const { makeRollout } = await import('../publish/after/rollout/step.ts');
  const rollout = makeRollout(link, link.rollout, { ...deps, record: () => {} });
  try {
    await rollout.check();
    const targets = rollout.plan().map(({ target }) => target);
    const found = ok(what, `${targets.join(', ')}: can be restarted.`);
    const missing = await rollout.missingRights();
    if (missing.length === 0) return [found];
    const detail = `The account lacks the right to ${missing.join(' and to ')}: where pods do not become ready, the run cannot say why.`;
    return [
      found,
      warning(`${what}: reasons`, detail, 'Add list for pods and events, and get for pods/log, to its Role.'),
    ];
  } catch (error) {
    return [failed(what, error)];
  }
}

/** The published site that `live-url` names: is it reached, and does it show a page? */
export async function checkSite(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
  if (link?.live === undefined) return [];
  const what = 'Published site';
  const { url } = link.live;
  const { makeLiveCheck } = await import('../publish/after/live/step.ts');
  try {
    const check = await makeLiveCheck(link, link.live, { ...deps, record: () => {} });
    const found = await check.tryStartPage();
    if (found.kind === 'page') return [ok(what, `${url} answers ${found.status} with a page.`)];
    const fix = 'Before a first deployment that is right. A site behind a login needs live-headers.';
    return [warning(what, `${url}: ${found.detail}.`, fix)];
  } catch (error) {
    return [failed(what, error)];
  }
}

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
