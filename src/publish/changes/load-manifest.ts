import { parse } from 'node:path';
import type { ComparedSite } from '../../bundle/compare/compared-site.ts';
import { MAX_MANIFEST_BYTES, readManifest } from '../../bundle/compare/read-manifest.ts';
import { readConfinedFile, shownPath } from '../../confined-files.ts';
import { CourierError } from '../../errors.ts';
import type { ExportInputs } from '../../inputs/inputs.ts';
import { linkPolicy } from '../../platform/link.ts';
import { plainLine } from '../../text/escape.ts';
import type { ExportDeps } from '../export-deps.ts';

/** Where `compare-with` names it. Throws `config` where it is none, or of another site; and what the download throws. */
export async function loadManifest(inputs: ExportInputs, deps: ExportDeps): Promise<ComparedSite> {
  const { name, text } = await readText(inputs, deps);
  const read = readManifest(text);
  if (!read.ok) throw refusal(`${name} ${read.problem}`);
  const { site, domain } = read;
  if (domain === undefined || inputs.domain === undefined || domain === inputs.domain) return site;
  throw refusal(`${name} is of the site ${plainLine(domain, 260)}, and this export is of ${inputs.domain}`);
}

async function readText({ compareWith, baseUrl, bundle }: ExportInputs, { run, http }: ExportDeps) {
  if (compareWith.kind === 'address') {
    const url = new URL(compareWith.url);
    const reply = await http.request({
      service: { name: 'the server of the manifest', addressSetting: 'compare-with' },
      method: 'GET',
      url,
      repeat: 'always',
      limits: { bodyBytes: MAX_MANIFEST_BYTES },
      allowPrivateHosts: linkPolicy(baseUrl, bundle.allowPrivateHosts).allowPrivateHosts,
    });
    return { name: `the manifest at ${url.origin}${url.pathname}`, text: reply.body.toString('utf8') };
  }
  const path = compareWith.kind === 'file' ? compareWith.path : '';
  const workspace = { name: 'workspace', path: run.workspace };
  const folders =
    run.kind === 'local'
      ? [{ name: 'disk', path: parse(path).root }]
      : [workspace, { name: 'RUNNER_TEMP', path: run.temp }];
  const text = await readConfinedFile({ path, input: 'compare-with', folders, maxBytes: MAX_MANIFEST_BYTES });
  const name = shownPath(path, run.workspace);
  if (text === undefined) throw refusal(`there is no file ${plainLine(name, 300)}`);
  return { name, text };
}

function refusal(problem: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `compare-with: ${problem}. Nothing was started.`,
    hint: 'Give previous, or the manifest that an earlier export of this site wrote next to its archive (bundle-path, with .manifest.json after its name).',
  });
}
