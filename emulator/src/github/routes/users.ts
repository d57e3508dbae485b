import { type App, notFound, refuse } from '../http.ts';
import { inaccessible } from '../rights.ts';
import { publicUser } from '../shapes.ts';
import type { Store } from '../store.ts';

export function addUserRoutes(app: App, store: Store): void {
  // Only a personal access token belongs to a person.
  app.get('/user', (c) => {
    const token = c.get('token');
    if (token.kind !== 'pat') throw inaccessible(token);
    return c.json(publicUser(store.user(token.login)));
  });
  // Requires a GitHub App's JWT, which the emulator does not know.
  app.get('/app', () => {
    throw refuse(401, 'A JSON web token could not be decoded');
  });
  app.get('/users/:login', (c) => {
    const user = store.findUser(c.req.param('login'));
    if (!user) throw notFound();
    return c.json(publicUser(user));
  });
}
