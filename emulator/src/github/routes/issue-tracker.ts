import * as z from 'zod/mini';
import {
  type App,
  type AppContext,
  notFound,
  paginate,
  readBody,
  readNumber,
  refuse,
} from '../http.ts';
import { type Level, useRepository } from '../rights.ts';
import type { Store } from '../store.ts';
import { issueShape, pullAsIssue } from './issues.ts';

const LONGEST_BODY_CHARS = 65_536;
const LONGEST_TITLE_CHARS = 256;

const text = (max: number) => z.string().check(z.maxLength(max));
const change = z.object({
  title: z.optional(text(LONGEST_TITLE_CHARS)),
  body: z.optional(text(LONGEST_BODY_CHARS)),
  state: z.optional(z.enum(['open', 'closed'])),
  state_reason: z.optional(z.nullable(z.enum(['completed', 'not_planned', 'reopened']))),
  labels: z.optional(z.array(text(50))),
  assignees: z.optional(z.array(z.string())),
});
const creation = z.extend(change, { title: text(LONGEST_TITLE_CHARS) });

/** Issues; GitHub lists pull requests among them. https://docs.github.com/rest/issues/issues */
export function addIssueTrackerRoutes(app: App, store: Store): void {
  const list = '/repos/:owner/:repo/issues';
  app.get(list, (c) => c.json(paginate(c, listIssues(c, store)).items));
  app.post(list, async (c) => {
    const repository = useTracker(c, store, 'write');
    const { title, body, labels = [], assignees = [] } = await readBody(c, creation);
    // https://docs.github.com/rest/issues/issues#create-an-issue: people without access to the
    // repository are rejected.
    const stranger = assignees.find((login) => !repository.collaborators.has(login.toLowerCase()));
    if (stranger !== undefined) {
      throw refuse(422, 'Validation Failed', {
        errors: [{ value: stranger, resource: 'Issue', field: 'assignees', code: 'invalid' }],
      });
    }
    const { login: user } = c.get('token');
    const made = store.conversations.addIssue({
      repository: repository.fullName,
      user,
      title,
      body,
      labels,
      assignees,
    });
    return c.json(issueShape(made), 201);
  });
  app.patch(`${list}/:number`, async (c) => {
    const repository = useTracker(c, store, 'write');
    const issue = store.conversations.issue(repository.fullName, readNumber(c, 'number'));
    if (!issue) throw notFound();
    const { title, body, state, state_reason: reason, labels } = await readBody(c, change);
    issue.title = title ?? issue.title;
    issue.body = body ?? issue.body;
    issue.state = state ?? issue.state;
    issue.stateReason = reason ?? issue.stateReason;
    issue.labels = labels ?? issue.labels;
    issue.updatedAt = store.now();
    return c.json(issueShape(issue));
  });
}

function useTracker(c: AppContext, store: Store, level: Level) {
  const repository = useRepository(c, store, { level, anyOf: ['issues'] });
  if (!repository.hasIssues) throw refuse(410, 'Issues has been disabled in this repository.');
  return repository;
}

function listIssues(c: AppContext, store: Store): object[] {
  const { fullName } = useTracker(c, store, 'read');
  const state = c.req.query('state') ?? 'open';
  const fits = (one: { state: string }) => state === 'all' || one.state === state;
  const { issues } = store.conversations;
  const all = [
    ...issues
      .filter((one) => one.repository.toLowerCase() === fullName.toLowerCase() && fits(one))
      .map((one) => ({ at: one, shape: issueShape(one) })),
    ...store.conversations
      .pullRequestsOf(fullName)
      .filter(fits)
      .map((one) => ({ at: one, shape: pullAsIssue(one) })),
  ];
  const field = c.req.query('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = c.req.query('direction') === 'asc' ? 1 : -1;
  return all.sort((a, b) => sign * (a.at[field] - b.at[field])).map(({ shape }) => shape);
}
