import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Document, parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { yamlBlocks } from '../../scripts/lint/blocks.ts';
import { filesBelow, ROOT, readPages, readText } from './pages.ts';

const concurrency = z.optional(z.union([z.string(), z.looseObject({ group: z.string() })]));
const workflow = z.looseObject({
  on: z.union([z.string(), z.record(z.string(), z.unknown())]),
  concurrency,
  jobs: z.record(z.string(), z.looseObject({ if: z.optional(z.string()), concurrency })),
});

interface Example {
  readonly name: string;
  readonly text: string;
}

const examples: Example[] = filesBelow('examples')
  .filter((name) => /^[\w-]+\.yml$/.test(name) && name !== 'docs-queries.yml')
  .map((name) => ({ name, text: readText(`examples/${name}`) }));

const PULL = { number: 7, merged: false };
const COMMENT = { id: 1, body: '/docs-agent document the flag' };
const DEPLOYMENT = {
  creator: { login: 'acme-docs[bot]' },
  production_environment: true,
  transient_environment: false,
};

/**
 * What starts a workflow, as the job of the workflow wants it: one payload of each kind that a page
 * is about.
 */
const EVENTS: Readonly<Record<string, readonly object[]>> = {
  push: [{ after: 'a' }],
  schedule: [{ schedule: '17 */6 * * *' }],
  workflow_dispatch: [{ inputs: {} }],
  release: [{ action: 'published', release: { prerelease: false, tag_name: 'v1.0.0' } }],
  issue_comment: [{ action: 'created', issue: { number: 7, pull_request: {} }, comment: COMMENT }],
  pull_request: [{ action: 'synchronize', pull_request: PULL }],
  pull_request_target: [
    { action: 'closed', pull_request: { ...PULL, merged: true } },
    { action: 'labeled', pull_request: PULL, label: { name: 'docs' } },
  ],
  pull_request_review: [{ action: 'submitted', pull_request: PULL, review: COMMENT }],
  pull_request_review_comment: [{ action: 'created', pull_request: PULL, comment: COMMENT }],
  deployment_status: [{ deployment_status: { state: 'success' }, deployment: DEPLOYMENT }],
  check_run: [
    { action: 'completed', check_run: { app: { slug: 'acme-docs' }, conclusion: 'success' } },
  ],
};

/**
 * True for a workflow each of whose runs does something that no later run does: it instructs the
 * agent, adds files to its release, or was started by a person, as it alone starts or with a choice.
 */
function isWanted(text: string): boolean {
  const { on, concurrency: all } = workflow.parse(parse(text));
  // Of the branch on which someone tries it, only the newest run is of interest.
  if (typeof all === 'object' && all['cancel-in-progress'] === true) return false;
  const events = typeof on === 'string' ? { [on]: null } : on;
  const dispatch = events['workflow_dispatch'];
  const isOnlyByHand = 'workflow_dispatch' in events && Object.keys(events).length === 1;
  const hasChoice = typeof dispatch === 'object' && dispatch !== null;
  return isOnlyByHand || hasChoice || /mode: agent|gh release upload/.test(text);
}

/** The value of a YAML block; undefined for one of several documents. */
function parseAll(yaml: string): unknown {
  const documents = parseAllDocuments(yaml);
  const [first] = documents;
  return documents.length === 1 && first instanceof Document ? first.toJS() : undefined;
}

interface Started {
  readonly event: string;
  readonly payload: object;
}

/**
 * The value of an expression of GitHub, as far as the examples use the language. A name without a
 * value is empty.
 */
function evaluate(expression: string, { event, payload }: Started): unknown {
  const github = { event_name: event, event: payload, ref: 'refs/heads/main', sha: 'a'.repeat(40) };
  const known = {
    github,
    inputs: event === 'workflow_dispatch' ? { 'pull-request': '7' } : {},
    needs: { plan: { outputs: { changed: 'true' } } },
    matrix: { site: 'guide' },
  };
  const lower = (value: unknown) => String(value ?? '').toLowerCase();
  const context = createContext({
    read: (path: string) =>
      path.split('.').reduce<unknown>((value, name) => Object(value)[name] ?? null, known),
    contains: (text: unknown, part: unknown) => lower(text).includes(lower(part)),
    startsWith: (text: unknown, part: unknown) => lower(text).startsWith(lower(part)),
    always: () => true,
  });
  const bare = expression.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, '$1');
  const names = /'[^']*'|\b(?:github|inputs|needs|matrix)(?:\.[\w-]+)+/g;
  return runInContext(
    bare.replace(names, (found) => (found.startsWith("'") ? found : `read('${found}')`)),
    context,
  );
}

interface Outcome {
  /** Jobs that do not run. */
  readonly excluded: readonly string[];
  /**
   * Expressions in groups that are empty: such runs share a group, and GitHub cancels all but the
   * newest that wait.
   */
  readonly empty: readonly string[];
}

/** What a workflow makes of an event that starts it. */
function outcomeOf(text: string, started: Started): Outcome {
  const { concurrency: all, jobs } = workflow.parse(parse(text));
  const isExcluded = ({ if: condition = 'true' }: { readonly if?: string | undefined }) =>
    !evaluate(condition, started);
  const running = Object.values(jobs).filter((job) => !isExcluded(job));
  const groups = [all, ...running.map((job) => job.concurrency)].map((one) =>
    typeof one === 'object' ? one.group : (one ?? ''),
  );
  const expressions = groups.flatMap((group) =>
    [...group.matchAll(/\$\{\{(.*?)\}\}/g)].map(([, inside = '']) => inside.trim()),
  );
  return {
    excluded: Object.entries(jobs).flatMap(([id, job]) => (isExcluded(job) ? [id] : [])),
    empty: expressions.filter((expression) => String(evaluate(expression, started) ?? '') === ''),
  };
}

/**
 * Why an event starts a run of the workflow that does nothing, or cancels runs that wait; none if
 * neither.
 */
function problems(text: string, event: string): string[] {
  const jobs = Object.keys(workflow.parse(parse(text)).jobs);
  return (EVENTS[event] ?? []).flatMap((payload) => {
    const { excluded, empty } = outcomeOf(text, { event, payload });
    const nothing =
      excluded.length === jobs.length ? [`no job runs: ${JSON.stringify(payload)}`] : [];
    return [
      ...nothing,
      ...empty.map((expression) => `${expression} is empty: ${JSON.stringify(payload)}`),
    ];
  });
}

function eventsOf(text: string): readonly string[] {
  const { on } = workflow.parse(parse(text));
  return typeof on === 'string' ? [on] : Object.keys(on);
}

/** Events that the sentences of a page add to a workflow that it shows, by `on:`. */
function addedEvents(prose: string): string[] {
  const sentences = prose.replace(/\n(?!\n)/g, ' ').split(/(?<=[.;])\s/);
  const adding = sentences.filter((sentence) => /`on:/.test(sentence));
  return adding
    .flatMap((sentence) =>
      [...sentence.matchAll(/`(?:on: )?(\w+):?`/g)].map(([, name = '']) => name),
    )
    .filter((name) => name in EVENTS);
}

describe('the events of the examples', () => {
  const own = examples.flatMap(({ name, text }) =>
    eventsOf(text).map((event) => ({ name, text, event })),
  );

  it('Each event of an example is one that this test knows', () => {
    expect(own.map(({ event }) => event).filter((event) => !(event in EVENTS))).toEqual([]);
  });

  it.each(own)(
    'A run of $name for $event does something, in a group that is not shared by accident',
    ({ text, event }) => {
      expect(problems(text, event)).toEqual([]);
    },
  );

  it.each(examples)('Each job of $name runs for at least one event', ({ text }) => {
    const started = eventsOf(text).flatMap((event) =>
      (EVENTS[event] ?? []).map((payload) => ({ event, payload })),
    );
    const [first = [], ...others] = started.map((one) => outcomeOf(text, one).excluded);
    expect(first.filter((id) => others.every((excluded) => excluded.includes(id)))).toEqual([]);
  });

  it('No run cancels one of another workflow that waits, except a newer export', () => {
    const uses = examples.flatMap(({ name, text }) => {
      const { concurrency: all, jobs } = workflow.parse(parse(text));
      return [all, ...Object.values(jobs).map((job) => job.concurrency)].flatMap((one) => {
        if (one === undefined) return [];
        return typeof one === 'string' ? [{ name, group: one }] : [{ name, ...one }];
      });
    });
    const cancels = uses.filter(
      (use) =>
        !('queue' in use) &&
        uses.some(({ name, group }) => name !== use.name && group === use.group),
    );
    expect(new Set(cancels.map(({ group }) => group))).toEqual(new Set(['docs-export']));
  });

  const shown = [...readPageTexts(ROOT)].flatMap(([path, text]) =>
    yamlBlocks(path, text).flatMap(({ name, yaml }) => {
      const isWorkflow = workflow.safeParse(parseAll(yaml)).success;
      return isWorkflow ? [{ name, text: yaml }] : [];
    }),
  );

  it('The pages that show whole workflows are found', () => {
    expect(shown.length).toBeGreaterThan(15);
  });

  it.each([...examples, ...shown].filter(({ text }) => isWanted(text)))(
    'A run of $name that waits is not lost: no other run does what a person asked it to do',
    ({ text }) => {
      const { concurrency: all, jobs } = workflow.parse(parse(text));
      const groups = [all, ...Object.values(jobs).map((job) => job.concurrency)].filter(Boolean);
      expect(groups).toEqual(groups.map(() => expect.objectContaining({ queue: 'max' })));
    },
  );

  it.each(examples)('A run of $name in which no job runs cancels none that waits', ({ text }) => {
    const { concurrency: all, jobs } = workflow.parse(parse(text));
    const mayRunNone = Object.values(jobs).every((job) => job.if !== undefined);
    expect(all !== undefined && mayRunNone).toBe(false);
  });

  const added = readPages().flatMap(({ path, body, prose }) => {
    const shown = examples.filter(({ text }) => body.includes(text.trim()));
    return shown.length === 0 ? [] : addedEvents(prose).map((event) => ({ path, event, shown }));
  });

  it('The pages that add an event to a workflow are found', () => {
    expect(new Set(added.map(({ path }) => path))).toEqual(
      new Set([
        'how-to/instruct-the-docs-agent.md',
        'how-to/instruct-the-agent-without-a-comment.md',
      ]),
    );
  });

  it.each(added)(
    '$path names $event, and a workflow on it runs for that event',
    ({ event, shown }) => {
      expect(shown.map(({ text }) => problems(text, event))).toContainEqual([]);
    },
  );
});

describe('the check of events', () => {
  const job = (lines: string) => `on: push\njobs:\n  a:\n    runs-on: x\n${lines}\n    steps: []\n`;

  it.each([
    ['an `if:` that is false', "    if: github.event.action == 'labeled'", 'release'],
    ['an `if:` about another event', "    if: ${{ github.event_name == 'push' }}", 'schedule'],
    ['a group that is empty', '    concurrency: a-${{ github.event.comment.id }}', 'push'],
    [
      'a group in a map',
      '    concurrency: { group: "a-${{ github.event.review.id }}" }',
      'issue_comment',
    ],
  ])('The check finds %s', (_, lines, event) => {
    expect(problems(job(lines), event)).toHaveLength(1);
  });

  it.each([
    ['no condition', '    name: x', 'push'],
    [
      'one of two conditions',
      "    if: github.event_name == 'push' || github.event.label.name == 'docs'",
      'push',
    ],
    [
      'a group with a value',
      '    concurrency: a-${{ github.event.comment.id || github.sha }}',
      'push',
    ],
    ['a group for all runs', '    concurrency: a', 'schedule'],
  ])('The check accepts %s', (_, lines, event) => {
    expect(problems(job(lines), event)).toEqual([]);
  });

  it('The check finds the events of a sentence, over the end of a line', () => {
    expect(
      addedEvents('Add `schedule` and\n`pull_request_review` to `on:`. A `push` is another thing.'),
    ).toEqual(['schedule', 'pull_request_review']);
  });
});
