/** The environment whose deployments record what is live. */
export interface DeploymentInputs {
  readonly environment: string;
  readonly token: string;
}
