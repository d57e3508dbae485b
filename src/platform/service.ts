import type { HttpReply } from '../http/exchange.ts';
import type { Meaning, Service } from '../http/service.ts';
import { fieldOf, parseJson } from '../text/json.ts';
import type { Call } from './call.ts';

type Key = Call<unknown>['key'];

/** The platform as the HTTP ground sees it when it gets this call. */
export function platformService({ key, hourlyLimit }: Pick<Call<unknown>, 'key' | 'hourlyLimit'>): Service {
  return {
    name: 'the platform',
    addressSetting: 'base-url',
    errorText,
    meaning({ status }, { retryAfterMs }): Meaning {
      if (status === 429 && retryAfterMs === undefined && hourlyLimit !== undefined) {
        // Uses of an hour come back within the hour, not within the seconds that attempts are apart.
        return { retry: 'no', hint: `The platform's limit is reached: ${hourlyLimit}. Run again within the hour.` };
      }
      return { hint: hintOfStatus(status, key) };
    },
  };
}

/** The platform's own words in an error reply. */
function errorText(reply: HttpReply): string | undefined {
  const text = fieldOf(parseJson(reply.body.toString('utf8')), 'error');
  return typeof text === 'string' ? text : undefined;
}

function hintOfStatus(status: number, key: Key): string | undefined {
  const input = key === 'admin' ? 'admin-api-key' : 'assistant-api-key';
  switch (status) {
    case 401:
      return `The key in ${input} was not accepted: it may have expired or been revoked. Make a new one on the API keys page of the platform's dashboard and store it in the secret that the workflow passes.`;
    case 402:
      return "The organization's plan does not include this: static export needs the Enterprise plan. Ask whoever manages the plan on the platform.";
    case 403:
      return `The key in ${input} may not do this: check its kind and scope, an IP allow-list of the platform, and the plan (static export needs the Enterprise plan).`;
    case 404:
    case 410:
      return "The platform does not know an id or the domain in this address. Compare the inputs of the step with the platform's dashboard.";
    case 409:
      return 'The platform says that this does not fit the present state; try again in a moment.';
    case 400:
    case 413:
    case 422:
      return 'The platform refused the request: check the inputs that the message names.';
    default:
      return undefined;
  }
}
