import type { Arrival, Service } from '../server.ts';
import { createApp } from './app.ts';
import { CONTROL_PREFIX } from './control.ts';
import { bearer } from './http.ts';
import type { Store } from './store.ts';

// GitHub Enterprise Server has its API below this prefix.
const ENTERPRISE_PREFIX = /^\/api\/v3(?=\/|$)/;

/** GitHub's API as a function from request to reply. Requests are recorded in the store. */
export function createService(store: Store): Service {
  const app = createApp(store);
  return {
    faults: store.faults,
    record({ method, url, headers, body }: Arrival) {
      if (url.pathname.startsWith(`${CONTROL_PREFIX}/`)) return undefined;
      const record = {
        method,
        path: url.pathname.replace(ENTERPRISE_PREFIX, '') || '/',
        query: Object.fromEntries(url.searchParams),
        headers,
        body: new TextDecoder().decode(body),
        at: store.now(),
        token: store.token(bearer(headers['authorization']))?.name,
        status: undefined,
      };
      store.requests.push(record);
      return record;
    },
    fetch(request) {
      const url = new URL(request.url);
      const prefix = ENTERPRISE_PREFIX.exec(url.pathname)?.[0] ?? '';
      url.pathname = url.pathname.slice(prefix.length) || '/';
      return app.fetch(new Request(url, request), { base: url.origin + prefix });
    },
  };
}
