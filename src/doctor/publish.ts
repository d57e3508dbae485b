import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { DoctorInputs } from '../inputs/inputs.ts';
import { checkReceipt } from '../publish/bundle.ts';
import { attempt, broken, type Check, type DoctorDeps, ok, warning } from './finding.ts';

/** The workloads whose pods are restarted: that each exists and may be patched, and what a failure could not show. */
export async function checkRollout(inputs: DoctorInputs, deps: DoctorDeps): Promise<readonly Check[]> {
  const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
  if (link?.rollout === undefined) return [];
  const { Rollout } = await import('../publish/after/rollout/step.ts');
  const rollout = new Rollout(link, link.rollout, { ...deps, record: () => {} });
  return attempt('Rollout', async () => {
    await rollout.check();
    const targets = rollout.plan().map(({ target }) => target);
    const found = ok('Rollout', `${targets.join(', ')}: can be restarted.`);
    const missing = await rollout.missingRights();
    if (missing.length === 0) return [found];
    const detail = `The account lacks the right to ${missing.join(' and to ')}: where pods do not become ready, the run cannot say why.`;
    return [
      found,
      warning('Rollout: reasons', detail, 'Add list for pods and events, and get for pods/log, to its Role.'),
    ];
  });
}

/** The published site that `live-url` names: is it reached, and does it show a page? */
export async function checkSite(inputs: DoctorInputs, deps: DoctorDeps): Promise<readonly Check[]> {
  const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
  const { live } = link ?? {};
  if (link === undefined || live === undefined) return [];
  const what = 'Published site';
  const { LiveCheck } = await import('../publish/after/live/step.ts');
  return attempt(what, async () => {
    const check = await LiveCheck.open(link, live, { ...deps, record: () => {} });
    const found = await check.tryStartPage();
    if (found.kind === 'page') return [ok(what, `${live.url} answers ${found.status} with a page.`)];
    const fix = 'Before a first deployment that is right. A site behind a login needs live-headers.';
    return [warning(what, `${live.url}: ${found.detail}.`, fix)];
  });
}

/** Where a run writes: its report, and the bundle with the site. */
export async function checkFolders(inputs: DoctorInputs, deps: DoctorDeps): Promise<readonly Check[]> {
  const { temp, workspace } = deps.run;
  const link = inputs.export ?? inputs.refresh;
  const isReceived = link?.bundle.bundlePath !== undefined || link?.bundle.extractTo !== undefined;
  const findings = [await folderFinding('Temporary folder', temp)];
  if (link === undefined || !isReceived) return findings;
  const destinations = await attempt('Destinations', async () => {
    await checkReceipt(link, deps);
    return [ok('Destinations', 'bundle-path and extract-to may be written.')];
  });
  return [...findings, await folderFinding('Workspace', workspace), ...destinations];
}

async function folderFinding(what: string, path: string): Promise<Check> {
  try {
    await access(path, constants.W_OK);
    return ok(what, `${path} can be written.`);
  } catch {
    return broken(
      what,
      `${path} cannot be written.`,
      `Let the user of this run write there: ls -ld ${path} shows its owner.`,
    );
  }
}
