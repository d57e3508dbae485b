import * as z from 'zod/mini';
import type { Scope } from '../entities.ts';
import { type App, type AppContext, notFound, paginate, readBody, refuse } from '../http.ts';
import type { SettingWrite } from '../settings.ts';
import type { Store } from '../store.ts';
import { checkName, listSelected, type ScopeRoute, scopeRoutes, settingShape } from './settings.ts';

const fields = {
  visibility: z.optional(z.enum(['all', 'private', 'selected'])),
  selected_repository_ids: z.optional(z.array(z.number().check(z.int()))),
};
const createBody = z.object({ name: z.string(), value: z.string(), ...fields });
const updateBody = z.object({
  name: z.optional(z.string()),
  value: z.optional(z.string()),
  ...fields,
});

const LARGEST_VALUE_BYTES = 48 * 1024;

export function addVariableRoutes(app: App, store: Store): void {
  for (const place of scopeRoutes('actions_variables', 'organization_actions_variables')) {
    const path = `${place.base}/variables`;
    app.post(path, (c) => createVariable(c, store, place));
    app.get(path, (c) => {
      const all = store.settings.listVariables(place.open(c, store, 'read'));
      const { items, total } = paginate(c, all, { usual: 10, most: 30 });
      const variables = items.map((variable) => ({
        ...settingShape(c, variable),
        value: variable.value,
      }));
      return c.json({ total_count: total, variables });
    });
    app.get(`${path}/:name`, (c) => {
      const variable = find(store, place.open(c, store, 'read'), c);
      return c.json({ ...settingShape(c, variable), value: variable.value });
    });
    app.patch(`${path}/:name`, (c) => updateVariable(c, store, place));
    app.delete(`${path}/:name`, (c) => {
      const scope = place.open(c, store, 'write');
      store.settings.deleteVariable(scope, find(store, scope, c).name);
      return c.body(null, 204);
    });
    if (path.startsWith('/orgs/')) {
      app.get(`${path}/:name/repositories`, (c) =>
        c.json(listSelected(c, store, find(store, place.open(c, store, 'read'), c))),
      );
    }
  }
}

function find(store: Store, scope: Scope, c: AppContext) {
  const variable = store.settings.variable(scope, c.req.param('name') ?? '');
  if (!variable) throw notFound();
  return variable;
}

async function createVariable(c: AppContext, store: Store, place: ScopeRoute): Promise<Response> {
  const scope = place.open(c, store, 'write');
  const body = await readBody(c, createBody);
  checkName(body.name, 'Variable');
  checkValue(body.value);
  if (scope.scope === 'organization' && !body.visibility)
    throw refuse(422, 'Invalid request.\n\n"visibility" wasn\'t supplied.');
  if (store.settings.variable(scope, body.name))
    throw refuse(409, 'Already exists - Variable already exists');
  store.settings.writeVariable(scope, { ...toWrite(body.name, scope, body), value: body.value });
  return c.json({}, 201);
}

async function updateVariable(c: AppContext, store: Store, place: ScopeRoute): Promise<Response> {
  const scope = place.open(c, store, 'write');
  const variable = find(store, scope, c);
  const body = await readBody(c, updateBody);
  checkValue(body.value ?? '');
  store.settings.writeVariable(scope, {
    ...toWrite(variable.name, scope, body),
    value: body.value,
  });
  return c.body(null, 204);
}

function checkValue(value: string): void {
  if (Buffer.byteLength(value) > LARGEST_VALUE_BYTES)
    throw refuse(422, 'Variable value is too large.');
}

interface WriteFields {
  readonly visibility?: SettingWrite['visibility'];
  readonly selected_repository_ids?: readonly number[] | undefined;
}

function toWrite(name: string, scope: Scope, body: WriteFields): SettingWrite {
  if (scope.scope !== 'organization') return { name };
  return { name, visibility: body.visibility, selectedRepositoryIds: body.selected_repository_ids };
}
