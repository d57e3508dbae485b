import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { Http } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import type { Env } from '../port.ts';

// https://docs.github.com/actions/reference/security/oidc
const reply = z.object({ value: z.string().check(z.minLength(1)) });

const service: Service = {
  name: "GitHub's service for id tokens",
  addressSetting: 'ACTIONS_ID_TOKEN_REQUEST_URL',
  errorText: () => undefined,
};

/** An id token of this job. Throws `config` where the job has no permission for that. */
export async function requestIdToken(env: Env, audience: string, http: Http): Promise<string> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
  if (!address || !token || !URL.canParse(address)) throw notPermitted();
  const url = new URL(address);
  url.searchParams.set('audience', audience);
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const request = { service, method: 'GET', url, headers, repeat: 'always' } as const;
  return (await http.requestJson({ ...request, name: "the request for the run's id token" }, reply)).value.value;
}

function notPermitted(): CourierError {
  return new CourierError({
    code: 'config',
    message: 'This job may not ask for an id token, by which the run identifies itself.',
    hint: {
      text: 'Give the job the permission. A job that lists permissions has only those. A run for a pull request from a fork never has it.',
      permissions: { 'id-token': 'write', contents: 'read' },
    },
  });
}
