import { CourierError } from '../../../errors.ts';
import { plainLine } from '../../../text/escape.ts';
import { countOf, writeDuration } from '../../../text/markdown.ts';
import { describePage } from './describe.ts';
import type { LiveFacts, LivePage } from './facts.ts';

const MOST_PAGES = 5;

interface NotLive {
  readonly timeoutMs: number;
  readonly basePath: string | undefined;
}

/** The site does not show the export: which pages differ and how, and what is to be done about it. */
export function notLive({ url, pages }: LiveFacts, { timeoutMs, basePath }: NotLive): CourierError {
  if (pages.length === 0) {
    return new CourierError({
      code: 'checks-failed',
      message: `${url} was not compared with the export: none of its pages has a visible text.`,
      hint: 'Open a page of the bundle with scripts switched off. Without live-url nothing is compared.',
    });
  }
  const wrong = pages.filter(({ outcome }) => outcome !== 'live');
  const rest = wrong.length > MOST_PAGES ? [`- and ${wrong.length - MOST_PAGES} more`] : [];
  const of = wrong.length === pages.length ? '' : `${wrong.length} of `;
  return new CourierError({
    code: 'checks-failed',
    message: [
      `${url} did not show the export within ${writeDuration(timeoutMs)}: ${of}${countOf(pages.length, 'page')} ${wrong.length === 1 ? 'differs' : 'differ'}.`,
      ...wrong.slice(0, MOST_PAGES).map((page) => `- ${plainLine(page.path, 100)}: ${describePage(page)}`),
      ...rest,
    ].join('\n'),
    hint: `What was delivered stays. ${adviceOf(wrong, { url, basePath })} To go back to the export before it, run mode: rollback.`,
  });
}

function adviceOf(
  wrong: readonly LivePage[],
  { url, basePath }: { url: string; basePath: string | undefined },
): string {
  const has = (outcome: LivePage['outcome']) => wrong.some((page) => page.outcome === outcome);
  const isRefused = wrong.some(({ status }) => status === 401 || status === 403 || status === 407);
  if (isRefused || has('redirect')) {
    return 'A site behind a login needs live-headers, with a token or cookie that it accepts.';
  }
  if (has('cached')) {
    return 'The site itself has the export: purge the cache in front of it after each deployment, or set live-timeout to longer than it keeps a page.';
  }
  if (has('unreachable'))
    return 'Check live-url, and that this machine reaches it: behind a proxy set HTTPS_PROXY, for a private authority NODE_EXTRA_CA_CERTS.';
  if (basePath !== undefined && basePath !== '' && !new URL(url).pathname.startsWith(basePath)) {
    return `The links of the site begin with ${basePath}: set live-url to the address of its start page, with ${basePath}.`;
  }
  if (wrong.every(({ status }) => status === 404)) {
    return 'Check that live-url is the address of the start page of the site, with its path.';
  }
  return 'Check that the deployment takes up this export within live-timeout: one that reads the link when it starts has to be restarted, such as with rollout.';
}
