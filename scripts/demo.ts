/**
 * The whole way of a documentation site, on this machine: from the platform (emulated) through the
 * built action into a secret on GitHub (emulated), and from there to a deployment that serves it.
 * `npm run demo -- --help` lists its options.
 */
import { existsSync, mkdtempSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { serveSite } from '../src/cli/serve.ts';
import { ACTION } from '../src/ground/published.ts';
import type { StepResult } from '../test/support/runner.ts';
import type { World } from '../test/support/world.ts';
import { type Bundle, fetchBundle } from './demo/deployment.ts';
import { renderMarkdown } from './demo/markdown.ts';
import { explain, heading, paint, quote, say, showLogLine } from './demo/terminal.ts';
import {
  CHECKOUT,
  DOMAIN,
  type ExportRun,
  exportInputs,
  mergeInto,
  PROJECT,
  REPOSITORY,
  readLink,
  requireBuiltAction,
  runExport,
  SECRET_NAME,
  SITE,
  startDemo,
} from './demo/world.ts';

const HELP = `An export from start to end, on emulators of the platform and of GitHub.

npm run demo                serves the site until Ctrl+C
npm run demo -- --once      ends when the pages were read; so does a run in CI
npm run demo -- --site DIR  publishes another folder of Markdown`;

interface DemoOptions {
  readonly site: string;
  readonly once: boolean;
}

/** undefined: the options are shown, and nothing runs. */
function readOptions(): DemoOptions | undefined {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      once: { type: 'boolean' },
      site: { type: 'string' },
    },
  });
  if (values.help === true) return undefined;
  const site = resolve(values.site ?? resolve(CHECKOUT, 'docs'));
  if (!existsSync(site)) throw new Error(`${site} is not a folder: give one with --site`);
  const once = values.once ?? false;
  return { site, once: once || process.env.CI !== undefined };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return say(HELP);
  requireBuiltAction();
  say(
    paint(
      'bold',
      'Docs Courier: a documentation site on its way from the platform to a deployment',
    ),
  );
  explain('Everything happens on this machine, without an account and without other networks.');
  const stop = stopSignal();
  await using world = await startDemo({ site: options.site, exportMs: options.once ? 5000 : 8000 });
  introduce(world, options);
  const result = await showRun(world, stop);
  showResult(result);
  const bundle = await showDeployment(world);
  await serve({ world, bundle, options, stop });
}

/** Ctrl+C ends the demo step by step, so nothing of it stays. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());
  return controller.signal;
}

function introduce(world: World, { site }: DemoOptions): void {
  heading('1', 'The documentation platform');
  explain(
    `An emulator of the platform's API answers at ${world.platform.url}`,
    `It hosts one site, ${paint('bold', SITE)} (${DOMAIN}), made from the Markdown in ${relative(process.cwd(), site) || '.'}`,
  );
  heading('2', 'GitHub');
  explain(
    `An emulator of GitHub's API answers at ${world.github.url}`,
    `It has the repository ${paint('bold', REPOSITORY)} and an App token that may write its secrets.`,
    `The secret ${SECRET_NAME} does not exist yet. A deployment would read it to find the site.`,
  );
}

async function showRun(world: World, stop: AbortSignal): Promise<StepResult> {
  heading('3', 'The workflow step');
  explain('This is the step in the workflow; keys and tokens come from secrets:');
  const hidden: Record<string, string> = {
    'admin-api-key': '${{ secrets.DOCS_ADMIN_API_KEY }}',
    'secret-token': '${{ steps.app-token.outputs.token }}',
  };
  const lines = Object.entries(exportInputs(world)).map(
    ([name, value]) => `    ${name}: ${hidden[name] ?? value}`,
  );
  quote([`- uses: ${ACTION}`, '  with:', ...lines].join('\n'));
  heading('4', 'The run');
  explain(
    'dist/index.js runs in a separate process, like on a runner. The log as the runner shows it:',
  );
  return runShown({ world, signal: stop });
}

async function runShown(
  run: Omit<ExportRun, 'onLine'> & { readonly signal: AbortSignal },
): Promise<StepResult> {
  const onLine = (line: string) => {
    const shown = showLogLine(line);
    if (shown !== undefined) quote(shown);
  };
  const result = await runExport({ ...run, onLine });
  if (run.signal.aborted) throw new Error('by Ctrl+C; nothing was left behind');
  if (result.exitCode !== 0) throw new Error(`the action ended with exit code ${result.exitCode}`);
  return result;
}

function showResult(result: StepResult): void {
  heading('5', 'What later steps and people get');
  explain('The outputs (the link is a secret, so the log shows it as ***):');
  for (const [name, value] of Object.entries(result.outputs)) {
    if (value === '') continue;
    const shown = result.mask(value).split('\n').join(' ');
    quote(`${name.padEnd(14)} ${shown.length > 100 ? `${shown.slice(0, 100)}…` : shown}`);
  }
  say();
  explain("The step's summary, as GitHub renders it on the page of the run:");
  quote(renderMarkdown(result.summary));
}

async function showDeployment(world: World): Promise<Bundle> {
  heading('6', 'The deployment');
  const link = readLink(world);
  const { origin, pathname } = new URL(link);
  explain(
    `The secret ${SECRET_NAME} arrived at GitHub encrypted. Decrypted with GitHub's key, it is a signed link:`,
    `  ${origin}${pathname}?… (${link.length} characters)`,
    'The deployment fetches it, unpacks it and has the site:',
  );
  const bundle = await fetchBundle(link, world.root);
  explain(
    `  ${(bundle.archiveBytes / 1024).toFixed(0)} KiB, ${bundle.pages.filter((page) => page !== '404.html').length} pages`,
  );
  return bundle;
}

interface Serving {
  readonly world: World;
  readonly bundle: Bundle;
  readonly options: DemoOptions;
  readonly stop: AbortSignal;
}

async function serve({ world, bundle, options: { site, once }, stop }: Serving): Promise<void> {
  let { root } = bundle;
  await using server = await serveSite({ folder: () => root, rules: [], port: 0 });
  heading('7', 'The site');
  explain(`It is served at ${paint(['bold', 'underline'], `${server.url}/`)}`);
  heading('8', 'A merge');
  const watching = watchSecret(world, (next) => {
    root = next.root;
  });
  await showMerge({ world, site, liveUrl: server.url, stop }).finally(watching.stop);
  if (once) {
    for (const page of bundle.pages.slice(0, 6)) await readPage(`${server.url}/${encodeURI(page)}`);
    explain('These pages were read, so the demo ends here.');
    return;
  }
  explain(`Open ${server.url}/ in a browser. Ctrl+C ends the demo and removes everything.`);
  await new Promise<void>((end) => {
    if (stop.aborted) end();
    else stop.addEventListener('abort', () => end());
  });
}

interface Merge {
  readonly world: World;
  readonly site: string;
  readonly liveUrl: string;
  readonly stop: AbortSignal;
}

/**
 * The platform publishes the merge some seconds after it is asked to; the run ends when readers see
 * it.
 */
async function showMerge({ world, site, liveUrl, stop }: Merge): Promise<void> {
  const sha = await mergeInto(world, site, 'This sentence was merged during the demo.');
  explain(
    `Commit ${sha.slice(0, 7)} adds a sentence. The platform has not published it: an export would have the content from before.`,
    'So the same step runs with publish: true, project-id and live-url:',
  );
  const inputs = { publish: 'true', 'project-id': PROJECT, 'live-url': liveUrl, timeout: '30m' };
  const result = await runShown({ world, sha, inputs, signal: stop });
  const lines = result.summary
    .split('\n')
    .filter((line) => /Published for this run|shows the export/.test(line));
  explain('The summary says so:');
  quote(lines.join('\n'));
}

/** The deployment: takes up the site of a new link. */
function watchSecret(world: World, take: (bundle: Bundle) => void): { stop(): void } {
  let link = readLink(world);
  const timer = setInterval(() => {
    const next = readLink(world);
    if (next === link) return;
    link = next;
    const folder = mkdtempSync(join(world.root, 'deployment-'));
    fetchBundle(next, folder).then(take, (error: unknown) => say(String(error)));
  }, 300);
  return { stop: () => clearInterval(timer) };
}

async function readPage(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1];
  if (!response.ok || title === undefined)
    throw new Error(`${url} is not a page: ${response.status}`);
  explain(`  ${response.status} ${new URL(url).pathname}  ${title}`);
}

main().catch((error: unknown) => {
  console.error(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
