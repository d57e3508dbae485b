import type { Clock } from '../clock.ts';
import { CourierError } from '../errors.ts';
import type { ExchangeLimits, HttpReply } from '../http/exchange.ts';
import { Http } from '../http/http.ts';
import type { Log } from '../log.ts';
import { createRedact } from '../text/redact.ts';
import type { Call, Transport } from './call.ts';
import { platformService } from './service.ts';

interface TransportInit {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: { readonly admin?: string | undefined; readonly assistant?: string | undefined };
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random?: () => number;
  readonly limits?: ExchangeLimits;
  /** Shares its retry budget with the other services of the run; without it the platform has one of its own. */
  readonly http?: Http | undefined;
}

/** HTTP to the platform: addresses, keys, and its replies as schemas. Redirects are refused: one would carry the key along. */
export function createTransport(init: TransportInit): Transport {
  const http = init.http ?? new Http(init);
  const redact = createRedact(Object.values(init.keys).filter((key) => key !== undefined));
  return {
    async call(call) {
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const { value, reply } = await http.requestJson(
        {
          service: platformService(call),
          method: call.method,
          url: new URL(`${init.baseUrl}/${call.path.map(encodeURIComponent).join('/')}`),
          headers: headersOf(call, init.keys),
          body,
          repeat: call.repeat,
          timeLimitMs: call.timeLimitMs,
          cancelGraceMs: call.cancelGraceMs,
          redact,
        },
        call.schema,
        call.also,
      );
      return { value, serverTime: serverTime(reply) };
    },
  };
}

function headersOf(call: Call<unknown>, keys: TransportInit['keys']): Record<string, string> {
  const key = keys[call.key];
  if (key === undefined) throw new CourierError({ code: 'config', message: `The ${call.key} API key is missing.` });
  return {
    accept: 'application/json',
    authorization: `Bearer ${key}`,
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
  };
}

function serverTime(reply: HttpReply): Date | undefined {
  const time = Date.parse(reply.headers.date ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
