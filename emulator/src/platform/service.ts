import type { Arrival, Service } from '../server.ts';
import { createApp } from './app.ts';
import { CONTROL_PREFIX } from './routes/control.ts';
import type { Store } from './store.ts';

/** The platform as a function from request to reply. Requests are recorded in the store. */
export function createService(store: Store): Service {
  const app = createApp(store);
  return {
    faults: store.faults,
    record({ method, url, headers, body }: Arrival) {
      if (url.pathname.startsWith(`${CONTROL_PREFIX}/`)) return undefined;
      const query = Object.fromEntries(url.searchParams);
      const text = new TextDecoder().decode(body);
      const at = store.clock.now();
      const record = {
        method,
        path: url.pathname,
        query,
        headers,
        body: text,
        at,
        status: undefined,
      };
      store.requests.push(record);
      return record;
    },
    fetch: app,
  };
}
