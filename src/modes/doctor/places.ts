import { openDelivery } from '../../delivery/delivery.ts';
import type { ReadState } from '../../delivery/state.ts';
import type { DoctorInputs, ExportInputs, RefreshInputs } from '../../inputs/inputs.ts';
import { formatInstant } from '../../text/markdown.ts';
import { broken, type Finding, failed, ok, unknown, warning } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

/** The place of the link with its rights and its state. */
export async function checkPlaces(inputs: DoctorInputs, deps: DoctorDeps): Promise<Finding[]> {
  const link = inputs.refresh ?? inputs.export;
  if (link?.secret === undefined) return [];
  const { secret } = link;
  try {
    const delivery = await openDelivery(
      { ...link, secret, needsState: link.mode === 'refresh' },
      { ...deps, tell: () => {} },
    );
    const planned = delivery.plan().map(({ target }) => target);
    return [
      ok('Place of the link', `${planned.join(' and ')}: can be reached with secret-token.`),
      unknown('Right to write', 'A token that may read a place and not write it shows only when it writes.'),
      stateFinding(link, delivery.state),
    ];
  } catch (error) {
    return [failed('Place of the link', error)];
  }
}

function stateFinding(link: ExportInputs | RefreshInputs, found: ReadState): Finding {
  const what = 'State';
  if (found.kind === 'distrusted') {
    return warning(
      what,
      `It is ignored: ${found.why}.`,
      'The next export writes a new one; see who else writes the variable.',
    );
  }
  if (found.kind === 'missing' || found.state.jobId === undefined) {
    if (link.mode === 'export' || link.exportJobId !== undefined)
      return ok(what, 'There is none yet; an export writes it.');
    const fix = 'Run mode: export first, or give export-job-id.';
    if (link.ifNoState === 'skip') return warning(what, 'There is none yet: a refresh is skipped until then.', fix);
    return broken(what, 'There is none yet, so a refresh fails.', fix);
  }
  const { jobId, expiresAt } = found.state;
  const until = expiresAt === undefined ? '' : `, works until ${formatInstant(new Date(expiresAt))}`;
  return ok(what, `The stored link is of export job ${jobId}${until}.`);
}
