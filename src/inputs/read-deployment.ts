import type { DeploymentInputs } from './deployment-inputs.ts';
import type { InputReader } from './reader.ts';
import * as values from './values.ts';
import { apiToken } from './values.ts';

/** The environment whose deployments record what is live; undefined: none is asked for. */
export function readDeployment(reader: InputReader): DeploymentInputs | undefined {
  const environment = reader.optional('deployment-environment', values.line);
  if (environment === undefined) return undefined;
  const token = reader.required('github-token', apiToken, ': deployment-environment is written with it');
  return token === undefined ? undefined : { environment, token };
}
