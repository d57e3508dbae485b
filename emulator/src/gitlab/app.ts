import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod/mini';
import { LEVELS, type TokenSeed, type Variable, type VariableHolder } from './entities.ts';
import type { Problems, Variables } from './store.ts';

/** What the routes read. */
interface GitLabGround {
  readonly variables: Variables;
  readonly holders: readonly VariableHolder[];
  token(value: string): TokenSeed | undefined;
}

interface AppEnv {
  Variables: { token: TokenSeed };
}
type App = Hono<AppEnv>;
type AppContext = Context<AppEnv>;

const flags = {
  protected: z.exactOptional(z.boolean()),
  masked: z.exactOptional(z.boolean()),
  raw: z.exactOptional(z.boolean()),
  variable_type: z.exactOptional(z.enum(['env_var', 'file'])),
  environment_scope: z.exactOptional(z.string()),
  description: z.exactOptional(z.nullable(z.string())),
};
const createBody = z.object({
  key: z.string(),
  value: z.string(),
  masked_and_hidden: z.exactOptional(z.boolean()),
  ...flags,
});
const updateBody = z.object({
  value: z.exactOptional(z.string()),
  filter: z.optional(z.object({ environment_scope: z.optional(z.string()) })),
  ...flags,
});

const KINDS = { projects: 'project', groups: 'group' } as const;

/**
 * GitLab's API for variables: https://docs.gitlab.com/api/project_level_variables/ and the page on
 * groups.
 */
export function createApp(ground: GitLabGround): App {
  const app: App = new Hono<AppEnv>().basePath('/api/v4');
  app.use(async (c, next) => {
    const value =
      /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ??
      c.req.header('private-token');
    const token = value === undefined ? undefined : ground.token(value);
    if (token === undefined) throw refuse(401, { message: '401 Unauthorized' });
    c.set('token', token);
    await next();
  });
  app.get('/personal_access_tokens/self', (c) => {
    const { kind = 'personal', scopes = ['api'] } = c.var.token;
    if (kind === 'job') throw refuse(401, { message: '401 Unauthorized' });
    return c.json({ id: 1, name: 'docs', revoked: false, active: true, scopes, expires_at: null });
  });
  for (const [plural, kind] of Object.entries(KINDS)) addVariableRoutes(app, ground, plural, kind);
  app.notFound(() => refuse(404, { error: '404 Not Found' }).getResponse());
  app.onError((error) => {
    if (error instanceof HTTPException) return error.getResponse();
    throw error;
  });
  return app;
}

function addVariableRoutes(
  app: App,
  ground: GitLabGround,
  plural: string,
  kind: VariableHolder['kind'],
): void {
  const { variables } = ground;
  app.get(`/${plural}/:id`, (c) => {
    const { id, path } = visible(c, ground, kind);
    return c.json({ id, [kind === 'project' ? 'path_with_namespace' : 'full_path']: path });
  });
  app.get(`/${plural}/:id/variables`, (c) => {
    const [size, page] = [c.req.query('per_page') ?? '20', c.req.query('page') ?? '1'].map(Number);
    // What is not a number counts as missing.
    const perPage = Math.min(size || 20, 100);
    const from = ((page || 1) - 1) * perPage;
    return c.json(
      variables
        .list(open(c, ground, kind))
        .slice(from, from + perPage)
        .map(shape),
    );
  });
  app.get(`/${plural}/:id/variables/:key`, (c) => {
    const holder = open(c, ground, kind);
    return c.json(shape(onlyVariable(ground, holder, c, c.req.query('filter[environment_scope]'))));
  });
  app.post(`/${plural}/:id/variables`, async (c) => {
    const holder = open(c, ground, kind);
    const body = scoped(holder, await readBody(c, createBody));
    check(variables.create(holder, body));
    const [created] = variables.find(holder, body.key, body.environment_scope ?? '*');
    return c.json(created && shape(created), 201);
  });
  app.put(`/${plural}/:id/variables/:key`, async (c) => {
    const holder = open(c, ground, kind);
    const { filter, ...write } = scoped(holder, await readBody(c, updateBody));
    const scope = filter?.environment_scope ?? c.req.query('filter[environment_scope]');
    const before = onlyVariable(ground, holder, c, scope);
    check(variables.update(holder, before, write));
    return c.json(
      shape(onlyVariable(ground, holder, c, write.environment_scope ?? before.environment_scope)),
    );
  });
  app.delete(`/${plural}/:id/variables/:key`, (c) => {
    const holder = open(c, ground, kind);
    variables.remove(
      holder,
      onlyVariable(ground, holder, c, c.req.query('filter[environment_scope]')),
    );
    return c.body(null, 204);
  });
}

/** A hidden variable never shows its value again. */
function shape(variable: Variable): object {
  return { ...variable, value: variable.hidden ? null : variable.value };
}

/** Without the paid tier, a group's scope is silently dropped. */
function scoped<T extends { environment_scope?: string | undefined }>(
  holder: VariableHolder,
  body: T,
): T {
  return holder.hasScopes ? body : { ...body, environment_scope: '*' };
}

function visible(
  c: AppContext,
  { holders }: GitLabGround,
  kind: VariableHolder['kind'],
): VariableHolder {
  const id = c.req.param('id') ?? '';
  const holder = holders.find(
    (entry) => entry.kind === kind && (String(entry.id) === id || entry.path === id),
  );
  // What a token may not see is a 404 for it.
  if (holder === undefined || levelOf(c.var.token, holder) === 0) {
    throw refuse(404, {
      message: kind === 'project' ? '404 Project Not Found' : '404 Group Not Found',
    });
  }
  return holder;
}

/** The holder of the variables, if the token may read and change them. */
function open(c: AppContext, ground: GitLabGround, kind: VariableHolder['kind']): VariableHolder {
  const { scopes = ['api'], kind: tokenKind = 'personal' } = c.var.token;
  if (tokenKind === 'job') throw refuse(401, { message: '401 Unauthorized' });
  const isRead = c.req.method === 'GET';
  if (!scopes.includes('api') && !(isRead && scopes.includes('read_api'))) {
    throw refuse(403, {
      error: 'insufficient_scope',
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: isRead ? 'api read_api' : 'api',
    });
  }
  const holder = visible(c, ground, kind);
  const needed = kind === 'project' ? LEVELS.maintainer : LEVELS.owner;
  if (levelOf(c.var.token, holder) < needed) throw refuse(403, { message: '403 Forbidden' });
  return holder;
}

/** Members of a group are members of its subgroups and projects. */
function levelOf({ roles = {} }: TokenSeed, { path }: VariableHolder): number {
  const levels = Object.entries(roles).map(([at, role]) =>
    path === at || path.startsWith(`${at}/`) ? LEVELS[role] : 0,
  );
  return Math.max(0, ...levels);
}

/** The variable with this key. Throws if several scopes have it and the request names none. */
function onlyVariable(
  { variables }: GitLabGround,
  holder: VariableHolder,
  c: AppContext,
  scope: string | undefined,
): Variable {
  const [variable, ...others] = variables.find(holder, c.req.param('key') ?? '', scope);
  if (variable === undefined) {
    throw refuse(404, {
      message: `404 ${holder.kind === 'project' ? 'Variable' : 'GroupVariable'} Not Found`,
    });
  }
  if (others.length > 0) {
    const message =
      "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'";
    throw refuse(409, { message });
  }
  return variable;
}

function check(problems: Problems): void {
  if (Object.keys(problems).length > 0) throw refuse(400, { message: problems });
}

function refuse(status: ContentfulStatusCode, body: object): HTTPException {
  const init = { status, headers: { 'content-type': 'application/json' } };
  return new HTTPException(status, { res: new Response(JSON.stringify(body), init) });
}

async function readBody<T>(c: AppContext, schema: z.ZodMiniType<T>): Promise<T> {
  const type = c.req.header('content-type') ?? '';
  const body: unknown = type.includes('json')
    ? await c.req.json().catch(() => undefined)
    : await readForm(c);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'body'} is invalid (${message})`,
  );
  throw refuse(400, { error: fields.join(', ') });
}

async function readForm(c: AppContext): Promise<unknown> {
  const fields = Object.entries({ ...c.req.query(), ...(await c.req.parseBody()) });
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      value === 'true' ? true : value === 'false' ? false : value,
    ]),
  );
}
