import { CourierError } from '../errors.ts';
import type { Http } from '../http/http.ts';
import type { CiRun, IdTokenRequest } from './port.ts';

const VARIABLES = { vault: 'DOCS_COURIER_ID_TOKEN_VAULT', aws: 'DOCS_COURIER_ID_TOKEN_AWS' } as const;

/**
 * The token by which the run identifies itself to a service: from the variable that GitLab's `id_tokens:` fills, else from the
 * CI system. The caller masks it. Throws `config` where there is none.
 */
export async function readIdToken(run: CiRun, request: IdTokenRequest, http: Http): Promise<string> {
  const variable = VARIABLES[request.service];
  const given = run.env[variable]?.trim();
  if (given) return given;
  if (run.idToken !== undefined) return run.idToken(request, http);
  throw new CourierError({
    code: 'config',
    message: `The run has no id token: the variable ${variable} is empty.`,
    hint: `In GitLab CI, let the job make one:\nid_tokens:\n  ${variable}:\n    aud: ${JSON.stringify(request.audience)}`,
  });
}
