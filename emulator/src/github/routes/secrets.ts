import * as z from 'zod/mini';
import type { Scope } from '../entities.ts';
import { type App, type AppContext, notFound, paginate, readBody, refuse } from '../http.ts';
import type { Store } from '../store.ts';
import { checkName, listSelected, type ScopeRoute, scopeRoutes, settingShape } from './settings.ts';

const secretBody = z.object({
  encrypted_value: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  key_id: z.string(),
  visibility: z.optional(z.enum(['all', 'private', 'selected'])),
  selected_repository_ids: z.optional(z.array(z.number().check(z.int()))),
});

// 48 KB, as GitHub documents the limit.
const LARGEST_SECRET_BYTES = 48 * 1024;

export function addSecretRoutes(app: App, store: Store): void {
  for (const place of scopeRoutes('secrets', 'organization_secrets')) {
    const path = `${place.base}/secrets`;
    app.get(`${path}/public-key`, (c) => {
      place.open(c, store, 'read');
      return c.json(store.settings.publicKey());
    });
    app.get(path, (c) => {
      const { items, total } = paginate(
        c,
        store.settings.listSecrets(place.open(c, store, 'read')),
      );
      return c.json({
        total_count: total,
        secrets: items.map((secret) => settingShape(c, secret)),
      });
    });
    app.get(`${path}/:name`, (c) => c.json(settingShape(c, find(c, store, place))));
    app.put(`${path}/:name`, (c) => putSecret(c, store, place));
    if (path.startsWith('/orgs/')) {
      app.get(`${path}/:name/repositories`, (c) =>
        c.json(listSelected(c, store, find(c, store, place))),
      );
    }
  }
}

function find(c: AppContext, store: Store, place: ScopeRoute) {
  const secret = store.settings.secret(place.open(c, store, 'read'), c.req.param('name') ?? '');
  if (!secret) throw notFound();
  return secret;
}

async function putSecret(c: AppContext, store: Store, place: ScopeRoute): Promise<Response> {
  const scope = place.open(c, store, 'write');
  const name = c.req.param('name') ?? '';
  checkName(name, 'Secret');
  const body = await readBody(c, secretBody);
  if (scope.scope === 'organization' && !body.visibility)
    throw refuse(422, 'Invalid request.\n\n"visibility" wasn\'t supplied.');
  if (!store.settings.secret(scope, name)) checkRoom(store, scope);
  // Sealing adds 48 bytes, base64 adds a third.
  if (body.encrypted_value.length > Math.ceil((LARGEST_SECRET_BYTES + 48) / 3) * 4) {
    throw refuse(422, 'Secret value is too large.');
  }
  const written = store.settings.writeSecret(scope, {
    name,
    encryptedValue: body.encrypted_value,
    keyId: body.key_id,
    visibility: scope.scope === 'organization' ? body.visibility : undefined,
    selectedRepositoryIds: body.visibility === 'selected' ? body.selected_repository_ids : [],
  });
  switch (written) {
    case 'created':
      return c.json({}, 201);
    case 'updated':
      return c.body(null, 204);
    case 'wrong-key':
      throw refuse(422, 'Validation Failed', {
        errors: [{ resource: 'Secret', field: 'key_id', code: 'invalid' }],
      });
    case 'unreadable':
      throw refuse(422, 'Validation Failed', {
        errors: [{ resource: 'Secret', field: 'encrypted_value', code: 'invalid' }],
      });
  }
}

function checkRoom(store: Store, scope: Scope): void {
  const limit =
    scope.scope === 'organization'
      ? 1000
      : (store.repository(scope.repository)?.secretLimit ?? 100);
  if (store.settings.listSecrets(scope).length >= limit)
    throw refuse(422, `The limit of ${limit} secrets is reached.`);
}
