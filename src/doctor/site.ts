import type { DoctorInputs } from '../inputs/inputs.ts';
import { type Check, failed, ok, warning } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

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
