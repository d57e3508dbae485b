import type { Delivery } from '../delivery/delivery.ts';
import type { ChosenJob } from '../job/job.ts';
import { Addition } from '../site/added/add.ts';
import { fingerprintReader } from '../site/compare/fingerprint.ts';
import type { Exported, Found, Opening, Step } from './step.ts';

/**
 * The step that adds what `add` names to the folder of the unpacked site. Only a site that goes to
 * a folder or an image gets additions, and such a site is unpacked.
 */
export async function openAddition(opening: Opening<object>): Promise<Step> {
  const { inputs, deps, job, delivery } = opening;
  const { add } = inputs;
  const { log, signal } = deps;
  const addition = await Addition.open(add);
  const hasStamp = add.includes('stamp');
  const label = inputs.mode === 'export' ? inputs.exportVersion : undefined;
  return {
    plan: () => [{ action: 'add files to the site', target: add.join(', ') }],
    async readers(site) {
      // The stamp names the content of the site by its fingerprint.
      if (hasStamp) return [...addition.readers(site), fingerprintReader(site)];
      return addition.readers(site);
    },
    async inspect(exported, found) {
      const site = exported.bundle?.site;
      if (site?.root === undefined) return {};
      const facts = {
        ...job.api.source,
        jobId: exported.jobId,
        exportedAt: hasStamp ? await whenRequested(exported, job) : undefined,
        commit: publishedCommit(found, job, delivery),
        label,
      };
      const isVerified = exported.bundle?.facts.verification !== undefined;
      const added = await addition.write({ site, root: site.root, isVerified, facts, signal });
      log.info(`Added to the site: ${added.map((file) => file.path).join(', ')}.`);
      for (const note of addition.notes) log.notice(note);
      return { added };
    },
  };
}

/** When the export was requested. Of a job that was not followed, the platform is asked. */
async function whenRequested(exported: Exported, job: ChosenJob): Promise<Date | undefined> {
  if (job.kind !== 'finished') return exported.requestedAt;
  return (await job.api.poll(job.jobId)).value.createdAt;
}

/**
 * The commit that was published for the export; a refresh or a rollback reads it from the history,
 * the list of exports in the state. undefined: not known.
 */
function publishedCommit(found: Found, job: ChosenJob, delivery: Delivery | undefined) {
  // Whatever is known of the job of an export was found before it was started.
  const isEarlier = job.kind === 'finished';
  const known = isEarlier ? delivery?.exports?.find((one) => one.job === job.jobId) : found;
  if (known?.contentCommit === undefined) return undefined;
  return { id: known.contentCommit, from: known.contentFrom };
}
