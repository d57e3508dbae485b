import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Delivery } from '../delivery/delivery.ts';
import { makeStores, openDestinations } from '../delivery/destinations.ts';
import {
  KEEP_MANIFESTS,
  LOST_IMAGE,
  LOST_IMAGE_FIX,
  lostImagesText,
  readStoredImages,
} from '../delivery/stored-images.ts';
import { formatInstant } from '../ground/text/amounts.ts';
import type { DoctorInputs, ExportInputs, RefreshInputs } from '../inputs/inputs.ts';
import { checkWrittenPaths } from '../publish/bundle.ts';
import { confirmReport } from '../steps/content/content.ts';
import { type CheckResult, type LinkStore, ok, unknown, warning } from '../stores/port.ts';
import { broken, type Checks, type DoctorDeps, failed } from './finding.ts';

type LinkInputs = ExportInputs | RefreshInputs;

/**
 * The inputs of the mode that writes the link. Inputs that both modes could have are checked as
 * those of a refresh, which also needs the state.
 */
function linkInputs(inputs: DoctorInputs): LinkInputs | undefined {
  return inputs.refresh ?? inputs.export;
}

/** What the check of a step records is not a fact of the doctor: its findings say it. */
function unrecorded(deps: DoctorDeps) {
  return { ...deps, record: () => {} };
}

/**
 * The destinations of the link with their rights, and their states. A state is kept beside the
 * link: which export the link is of, and which were there before.
 */
export async function* checkLinkDestinations(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const link = linkInputs(inputs);
  if (link?.to === undefined) return;
  const { to } = link;
  const what = 'Destination of the link';
  const stores = await makeStores(to, deps);
  // Kept, to be shown below the finding about all destinations together, which is known last.
  const ofStores: CheckResult[] = [];
  for (const store of stores) {
    for await (const finding of checkStore(store))
      ofStores.push({ ...finding, what: `${store.names.destination}: ${finding.what}` });
  }
  // An image of a given site has no state.
  if (inputs.export?.from !== undefined) return yield* ofStores;
  // A run would end at this error, before it reads a state.
  if (ofStores.some((finding) => finding.outcome === 'error')) {
    yield* ofStores;
    return yield unknown('State', 'Not read, since the destination of the link would fail.');
  }
  try {
    // A refresh finds the job in the state, unless it is given.
    const needsState = link.mode === 'refresh' && link.exportJobId === undefined;
    // The stores are handed on as checked: each had its preflight above.
    const run = await confirmReport(inputs.export?.content, deps);
    const init = { ...link, to, needsState, checked: stores };
    const delivery = await openDestinations(init, { ...unrecorded(deps), run });
    const planned = delivery.plan().map((write) => write.target);
    yield ok(what, `${planned.join(' and ')}: can be reached.`);
    yield* ofStores;
    yield stateFinding(link, delivery, needsState);
    for (const store of stores) yield* checkImages(store, delivery);
  } catch (error) {
    yield failed(what, error);
    yield* ofStores;
  }
}

/** What a run checks about a store before it starts; then reads the link and its state. */
async function* checkStore(store: LinkStore): Checks {
  const { link, state } = store.names;
  try {
    yield* await store.preflight();
    const { stateError } = await store.read();
    if (stateError === undefined) return;
    const detail = `${stateError.message} Without the state, an export cannot be resumed, and mode: refresh fails.`;
    yield warning(state, detail, stateError.hint);
  } catch (error) {
    yield failed(link, error);
  }
}

/** Whether the image of a tag, and those to go back to, can be pulled. */
async function* checkImages(store: LinkStore, delivery: Delivery): Checks {
  const images = await readStoredImages(store, delivery.exports);
  if (images === undefined) return;
  const what = `Image of ${store.names.link}`;
  if (images.isLiveWhole) yield ok(what, 'It can be pulled.');
  else yield broken(what, LOST_IMAGE, LOST_IMAGE_FIX);
  if (images.lostJobs.length > 0)
    yield warning('Images to go back to', lostImagesText(images.lostJobs), KEEP_MANIFESTS);
}

/** What the state of the link says. `needsState`: the mode fails without one. */
function stateFinding(link: LinkInputs, delivery: Delivery, needsState: boolean): CheckResult {
  const what = 'State';
  // `changed`: why the state is not up to date. `ignored`: why it is not used.
  const { state, changed, ignored } = delivery;
  if (changed !== undefined) {
    const fix = 'Run an export, or name the right job with export-job-id.';
    return warning(what, changed, fix);
  }
  if (ignored !== undefined) {
    const fix = 'The next export writes a new one. Check who else writes it.';
    return warning(what, `It is ignored because ${ignored}.`, fix);
  }
  if (state?.jobId !== undefined) {
    const stored = `The stored link is of export job ${state.jobId}`;
    if (state.expiresAt === undefined) return ok(what, `${stored}.`);
    return ok(what, `${stored}, works until ${formatInstant(new Date(state.expiresAt))}.`);
  }
  if (!needsState) return ok(what, 'There is none yet; an export writes it.');
  const fix = { text: 'Run an export first, or name its job:', inputs: { 'export-job-id': '' } };
  if (link.mode === 'refresh' && link.ifNoState === 'skip')
    return warning(what, 'There is none yet: a refresh is skipped until then.', fix);
  return broken(what, 'There is none yet, so a refresh fails.', fix);
}

/** The workloads whose pods are restarted: whether each exists and may be patched. */
export async function* checkRollout(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const link = linkInputs(inputs);
  if (link?.rollout === undefined) return;
  const { Rollout } = await import('../steps/rollout/step.ts');
  const rollout = new Rollout(link, link.rollout, unrecorded(deps));
  // Throws if a workload does not exist or may not be patched.
  await rollout.check();
  const targets = rollout.plan().map((write) => write.target);
  yield ok('Rollout', `${targets.join(', ')}: can be restarted.`);
}

/** Whether the published site that `live-url` names can be reached and shows a page. */
export async function* checkSite(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const link = linkInputs(inputs);
  if (link?.live === undefined) return;
  const what = 'Published site';
  const { url } = link.live;
  const { LiveCheck } = await import('../steps/live/step.ts');
  const check = new LiveCheck(link, link.live, unrecorded(deps));
  const answer = await check.tryStartPage();
  if (answer.kind === 'page') return yield ok(what, `${url} answers ${answer.status} with a page.`);
  const fix =
    'Before the first deployment this is expected. A site behind a login needs live-headers.';
  yield warning(what, `${url}: ${answer.detail}.`, fix);
}

/** Where a run writes: its report, and the bundle with the site. */
export async function* checkFolders(inputs: DoctorInputs, deps: DoctorDeps): Checks {
  const { temp, workspace } = deps.run;
  yield folderFinding('Temporary folder', temp);
  const link = linkInputs(inputs);
  if (link?.bundle.bundlePath === undefined && link?.bundle.extractTo === undefined) return;
  yield folderFinding('Workspace', workspace);
  // Throws if one of the paths cannot be written.
  await checkWrittenPaths(link, deps);
  yield ok('Destinations', 'bundle-path and extract-to can be written.');
}

async function folderFinding(what: string, path: string): Promise<CheckResult> {
  try {
    await access(path, constants.W_OK);
    return ok(what, `${path} can be written.`);
  } catch {
    const fix = `Let the user of this run write there: ls -ld ${path} shows its owner.`;
    return broken(what, `${path} cannot be written.`, fix);
  }
}
