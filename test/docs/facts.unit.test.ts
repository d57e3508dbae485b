import { describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/cli/options.ts';
import { isReadInCi, VALUE_KEYS } from '../../src/config/parse.ts';
import { MAX_ANNOTATIONS, MAX_INFO_LINES } from '../../src/ground/log.ts';
import { EXCHANGE_LIMITS } from '../../src/http/exchange.ts';
import {
  backoffMs,
  LONGEST_WAIT_MS,
  MAX_ATTEMPTS,
  MAX_RETRIES_PER_RUN,
} from '../../src/http/retries.ts';
import { MAX_POLL_MS, MIN_POLL_MS } from '../../src/platform/follow.ts';
import { ARCHIVE_LIMITS } from '../../src/site/archive/admission.ts';
import { SAMPLE_SIZE } from '../../src/steps/live/sample.ts';
import { INPUT_NAMES, isSecretInput } from '../../src/values/reader.ts';
import { measureFollowing } from '../bench/follow.ts';
import { readPages, readText } from './pages.ts';

const pages = [
  ...readPages().map(({ path, body }) => [`docs/${path}`, body]),
  ['README.md', readText('README.md')],
];

describe('facts that a page and the code state', () => {
  it('Every page that names the oldest Node.js names the one of the package', () => {
    const { engines } = JSON.parse(readText('package.json'));
    const oldest = engines.node.replace('>=', '');
    const named = pages.flatMap(([path, body = '']) =>
      [...body.matchAll(/Node\.js (20[\d.]*\d|20)/g)].map(([, version]) => ({ path, version })),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ version }) => version !== oldest)).toEqual([]);
  });

  const seconds = (ms: number) => ms / 1000;
  const { archiveBytes, totalBytes, fileBytes, entries, nameBytes, segmentBytes } = ARCHIVE_LIMITS;
  it.each<[string, string]>([
    ['attempts of a repeatable call', `${MAX_ATTEMPTS}`],
    ['retries in one run, polls apart', `${MAX_RETRIES_PER_RUN}`],
    ['longest `Retry-After` that a run waits', `${seconds(LONGEST_WAIT_MS)} seconds`],
    ['time to connect', `${seconds(EXCHANGE_LIMITS.connectMs)} seconds`],
    [
      'time without a byte, and per attempt',
      `${seconds(EXCHANGE_LIMITS.idleMs)} and ${seconds(EXCHANGE_LIMITS.totalMs)} seconds`,
    ],
    ['size of platform replies', `${EXCHANGE_LIMITS.bodyBytes / 1024 ** 2} MiB`],
    ['packed, and unpacked', `${archiveBytes / 1024 ** 3} GiB, ${totalBytes / 1024 ** 3} GiB`],
    ['one file', `${fileBytes / 1024 ** 2} MiB`],
    ['entries', entries.toLocaleString('en-US')],
    ['path, name', `${nameBytes / 1024} KiB, ${segmentBytes} bytes`],
    ['pages of a sample', `${SAMPLE_SIZE}`],
    ['lines of log, without progress', `${MAX_INFO_LINES}`],
    ['annotations of a kind (errors, warnings, notices)', `${MAX_ANNOTATIONS}`],
  ])('The page of the limits has the number of the code for: %s', (what, number) => {
    expect(readText('docs/reference/limits.md')).toContain(`| ${what} | ${number} |`);
  });

  it('The pages say how long the pauses between two attempts are, and between two polls', () => {
    const longest = [1, 2, 3, 4].map((attempt) => backoffMs(attempt, () => 0.9999));
    expect(longest.map((ms) => Math.round(ms / 100) / 10)).toEqual([0.5, 1, 2, 4]);
    expect(readText('docs/explanation/retries.md')).toContain(
      'The pauses are random, up to half a second, one, two and four seconds',
    );
    expect(readText('docs/explanation/following-a-job.md')).toContain(
      `between ${seconds(MIN_POLL_MS)} and ${seconds(MAX_POLL_MS)} seconds`,
    );
  });

  it('The page of the CI systems names the commands that take --allow-write-from', () => {
    const takers = FLAGS.get('allow-write-from')?.commands ?? [];
    // It publishes nothing.
    const commands = takers.filter((name) => name !== 'doctor');
    const [sentence = ''] =
      /There,\n.* publish only with `--allow-write-from/.exec(
        readText('docs/reference/ci-systems.md'),
      ) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    expect(sentence.match(/`[a-z]+`/g)).toEqual(commands.map((name) => `\`${name}\``));
  });

  it('The page of the configuration file names each key that is ignored in CI, or an error', () => {
    const page = readText('docs/reference/configuration-file.md');
    const namesIn = (text = '') => [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
    const [list] = /keys that were ignored:[\s\S]*?and every key/.exec(page) ?? [];
    const isOfGroup = (key: string) => /^(?:allow|vault-|aws-)/.test(key);
    const ignored = VALUE_KEYS.filter((key) => !isReadInCi(key) && !isOfGroup(key));
    expect(namesIn(list).sort()).toEqual([...ignored].sort());
    const table = [...page.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) => namesIn(cell));
    // These three are given where the program is started.
    const refused = INPUT_NAMES.filter(
      (name) => !VALUE_KEYS.includes(name) && !/^(?:mode|config-file|site)$/.test(name),
    );
    expect(refused.filter((name) => !isSecretInput(name) && !table.includes(name))).toEqual([]);
  });

  it('The table of how jobs are followed has the figures of the simulation', () => {
    const names = {
      steady: 'steady progress',
      bursty: 'progress in bursts',
      silent: 'no progress',
    } as const;
    const rows = measureFollowing().flatMap(({ temper, length, delayS, requests }) => {
      if (temper === 'stalled' || length !== '2 to 10 min') return [];
      const [delay, loop] = delayS.map((value) => `${value.toFixed(1)} s`);
      const [ours, every10] = requests.map((value) => value.toLocaleString('en-US'));
      return `| ${length}utes, ${names[temper]} | ${delay} (${loop}) | ${ours} (${every10}) |`;
    });
    const page = readText('docs/explanation/following-a-job.md');
    expect(rows).toHaveLength(3);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
