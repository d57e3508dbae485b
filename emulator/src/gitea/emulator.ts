import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type Fault, FaultScript } from '../faults.ts';
import { type Arrival, startServer } from '../server.ts';
import { GiteaPlace, type GiteaToken, refusalOf, variableText } from './settings.ts';

/**
 * The parts of Gitea's REST API that deliver a link: secrets and variables of repositories and
 * organizations. The tests run the same tables against this and against a real Gitea 1.26, which is
 * where its replies come from.
 */
interface GiteaEmulatorOptions {
  readonly tokens?: Readonly<Record<string, GiteaToken>> | undefined;
  /** `owner/name` -> logins that own it. */
  readonly repositories?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Name -> logins of the team Owners. */
  readonly organizations?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly port?: number | undefined;
  /** Receives one line per request. */
  readonly log?: ((line: string) => void) | undefined;
}

interface GiteaRequestRecord {
  readonly method: string;
  readonly path: string;
  status: number | undefined;
}

interface GiteaEmulator extends AsyncDisposable {
  /** The server's address, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly GiteaRequestRecord[];
  /** `name` is `owner/name` of a repository, or an organization. */
  place(name: string): GiteaPlace;
  inject(fault: Fault): void;
  close(): Promise<void>;
}

const MAX_PAGE = 50;

export async function startGiteaEmulator(
  options: GiteaEmulatorOptions = {},
): Promise<GiteaEmulator> {
  const { tokens = {}, repositories = {}, organizations = {}, port = 0, log } = options;
  const owners = Object.entries({ ...repositories, ...organizations });
  const places = new Map(
    owners.map(([name, logins], at) => [name.toLowerCase(), new GiteaPlace(at + 1, logins)]),
  );
  const app = createApp(new Map(Object.entries(tokens)), places);
  const faults = new FaultScript();
  const requests: GiteaRequestRecord[] = [];
  const service = {
    faults,
    fetch: (request: Request) => app.fetch(request),
    record({ method, url }: Arrival) {
      const record = { method, path: url.pathname, status: undefined };
      requests.push(record);
      return record;
    },
  };
  const server = await startServer({ service, port, log });
  return {
    url: server.url,
    requests,
    place(name) {
      const place = places.get(name.toLowerCase());
      if (place === undefined) throw new Error(`The emulator has no ${name}.`);
      return place;
    },
    inject: (fault) => faults.inject(fault),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

type Refusal = Response;
type App = Hono;

function createApp(tokens: ReadonlyMap<string, GiteaToken>, places: Map<string, GiteaPlace>): App {
  const app = new Hono();
  app.get('/api/v1/version', (c) => c.json({ version: '1.26.0' }));
  addSettings(app, '/api/v1/repos/:owner/:repo/actions', (c) =>
    admit(
      c,
      tokens,
      places.get(`${c.req.param('owner')}/${c.req.param('repo')}`.toLowerCase()),
      'repository',
    ),
  );
  addSettings(app, '/api/v1/orgs/:org/actions', (c) =>
    admit(c, tokens, places.get(`${c.req.param('org')}`.toLowerCase()), 'organization'),
  );
  addHolder(app, '/api/v1/repos/:owner/:repo', tokens, (c) =>
    places.get(`${c.req.param('owner')}/${c.req.param('repo')}`.toLowerCase()),
  );
  addHolder(app, '/api/v1/orgs/:org', tokens, (c) =>
    places.get(`${c.req.param('org')}`.toLowerCase()),
  );
  // It keeps its id, its secrets and its variables.
  app.patch('/api/v1/repos/:owner/:repo', async (c) => {
    const from = `${c.req.param('owner')}/${c.req.param('repo')}`.toLowerCase();
    const place = admit(c, tokens, places.get(from), 'repository');
    if (place instanceof Response) return place;
    const { name } = z.object({ name: z.string() }).parse(await c.req.json());
    places.delete(from);
    places.set(`${c.req.param('owner')}/${name}`.toLowerCase(), place);
    return c.json({ id: place.id, name });
  });
  app.notFound((c) => c.json({ message: 'not found', url: '' }, 404));
  return app;
}

/** The repository or the organization itself, which every token that is known may see. */
function addHolder(
  app: App,
  path: string,
  tokens: ReadonlyMap<string, GiteaToken>,
  find: (c: Context) => GiteaPlace | undefined,
): void {
  app.get(path, (c) => {
    const place = find(c);
    if (!tokens.has(tokenOf(c))) return refuse(c, 401, 'invalid username, password or token');
    return place === undefined ? refuse(c, 404, 'not found') : c.json({ id: place.id });
  });
}

function tokenOf(c: Context): string {
  return (c.req.header('authorization') ?? '').replace(/^(token|bearer)\s+/i, '');
}

/** The place if the token may do this, else the refusal, in the order in which Gitea checks. */
function admit(
  c: Context,
  tokens: ReadonlyMap<string, GiteaToken>,
  place: GiteaPlace | undefined,
  category: 'repository' | 'organization',
): GiteaPlace | Refusal {
  const token = tokens.get(tokenOf(c));
  if (token === undefined) return refuse(c, 401, 'invalid username, password or token');
  const level = c.req.method === 'GET' ? 'read' : 'write';
  const { scopes } = token;
  const fits = ['all', `write:${category}`, ...(level === 'read' ? [`read:${category}`] : [])];
  if (!scopes.some((scope) => fits.includes(scope))) {
    const required = `required=[${level}:${category}], token scope=${scopes.join(',')}`;
    return refuse(c, 403, `token does not have at least one of required scope(s), ${required}`);
  }
  if (place === undefined) return refuse(c, 404, 'not found');
  if (place.owners.has(token.login.toLowerCase())) return place;
  const isOrganization = category === 'organization';
  return refuse(
    c,
    403,
    isOrganization ? 'Must be an organization owner' : 'user should be the owner of the repo',
  );
}

function refuse(
  c: Context,
  status: 400 | 401 | 403 | 404 | 409 | 422 | 500,
  message: string,
): Refusal {
  return c.json({ message, url: 'https://gitea.example.com/api/swagger' }, status);
}

const settingBody = z.object({
  data: z.optional(z.string()),
  value: z.optional(z.string()),
  description: z.optional(z.string()),
});

type Admit = (c: Context) => GiteaPlace | Refusal;

function addSettings(app: App, path: string, admitTo: Admit): void {
  const within =
    (handle: (c: Context, place: GiteaPlace) => Response | Promise<Response>) => (c: Context) => {
      const place = admitTo(c);
      return place instanceof Response ? place : handle(c, place);
    };
  for (const kind of ['secrets', 'variables'] as const) {
    app.get(
      `${path}/${kind}`,
      within((c, place) => list(c, place, kind)),
    );
    app.put(
      `${path}/${kind}/:name`,
      within((c, place) => put(c, place, kind)),
    );
    app.delete(
      `${path}/${kind}/:name`,
      within((c, place) => remove(c, place, kind)),
    );
  }
  app.get(`${path}/variables/:name`, within(getVariable));
  app.post(`${path}/variables/:name`, within(createVariable));
  // A secret is never shown.
  app.get(`${path}/secrets/:name`, (c) => c.text('', 405));
  app.patch(`${path}/variables/:name`, (c) => c.text('', 405));
}

function list(c: Context, place: GiteaPlace, kind: 'secrets' | 'variables'): Response {
  const size = Math.min(MAX_PAGE, Number(c.req.query('limit') ?? MAX_PAGE));
  const from = (Number(c.req.query('page') ?? 1) - 1) * size;
  const all = [...place[kind]].map(([name, { value, description }]) =>
    kind === 'secrets'
      ? { name, description, created_at: '2026-01-01T00:00:00Z' }
      : { owner_id: 0, repo_id: 1, name, data: value, description },
  );
  return c.json(all.slice(from, from + size), 200, { 'x-total-count': String(all.length) });
}

async function put(
  c: Context,
  place: GiteaPlace,
  kind: 'secrets' | 'variables',
): Promise<Response> {
  const name = nameOf(c);
  const given = await bodyOf(c);
  const value = (kind === 'secrets' ? given.data : given.value) ?? '';
  if (value === '') return refuse(c, 422, `[${kind === 'secrets' ? 'Data' : 'Value'}]: Required`);
  const isThere = place[kind].has(name);
  if (kind === 'variables' && !isThere) return refuse(c, 404, 'variable not found');
  const refusal = refusalOf(name, value);
  if (refusal !== undefined) return refuse(c, refusal.status === 400 ? 400 : 500, refusal.message);
  const text = kind === 'secrets' ? value : variableText(value);
  place[kind].set(name, { value: text, description: given.description ?? '' });
  return c.body(null, kind === 'secrets' && !isThere ? 201 : 204);
}

function remove(c: Context, place: GiteaPlace, kind: 'secrets' | 'variables'): Response {
  return place[kind].delete(nameOf(c)) ? c.body(null, 204) : refuse(c, 404, 'not found');
}

function getVariable(c: Context, place: GiteaPlace): Response {
  const name = nameOf(c);
  const found = place.variables.get(name);
  if (found === undefined) return refuse(c, 404, 'variable not found');
  return c.json({
    owner_id: 0,
    repo_id: 1,
    name,
    data: found.value,
    description: found.description,
  });
}

async function createVariable(c: Context, place: GiteaPlace): Promise<Response> {
  const name = nameOf(c);
  const { value = '', description = '' } = await bodyOf(c);
  if (value === '') return refuse(c, 422, '[Value]: Required');
  if (place.variables.has(name)) return refuse(c, 409, `variable name ${name} already exists`);
  const refusal = refusalOf(name, value);
  if (refusal !== undefined) return refuse(c, refusal.status === 400 ? 400 : 500, refusal.message);
  place.variables.set(name, { value: variableText(value), description });
  return c.body(null, 201);
}

function nameOf(c: Context): string {
  return (c.req.param('name') ?? '').toUpperCase();
}

async function bodyOf(c: Context): Promise<z.infer<typeof settingBody>> {
  const parsed = settingBody.safeParse(await c.req.json().catch(() => undefined));
  return parsed.success ? parsed.data : {};
}
