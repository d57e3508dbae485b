import { fieldOf, textOf } from '../../ground/text/json.ts';
import type { AppReport } from '../port.ts';

/**
 * How the payloads of `check_run` and `deployment_status` are read, the events in which a GitHub
 * App says something about a commit.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run, #deployment_status.
 */
export const APP_REPORTS: ReadonlyMap<string, (payload: unknown) => AppReport> = new Map([
  ['check_run', checkReportOf],
  ['deployment_status', deploymentReportOf],
]);

function checkReportOf(payload: unknown): AppReport {
  const check = fieldOf(payload, 'check_run');
  const status = textOf(check, 'status');
  return {
    app: textOf(check, 'app', 'slug'),
    sha: textOf(check, 'head_sha'),
    source: sourceOf('check run', check),
    state: status === 'completed' ? textOf(check, 'conclusion') : status,
    defaultBranch: textOf(payload, 'repository', 'default_branch'),
    // Only a deployment says that it is a preview.
    isTransient: false,
  };
}

function deploymentReportOf(payload: unknown): AppReport {
  const deployment = fieldOf(payload, 'deployment');
  const status = fieldOf(payload, 'deployment_status');
  // A workflow may add a status to the deployment of an App: the App must have made both.
  const app = appOf(deployment);
  const id = fieldOf(deployment, 'id');
  return {
    app: app === appOf(status) ? app : '',
    sha: textOf(deployment, 'sha'),
    source: sourceOf('deployment', deployment),
    state: textOf(status, 'state'),
    defaultBranch: textOf(payload, 'repository', 'default_branch'),
    isTransient: fieldOf(deployment, 'transient_environment') === true,
    deployment: typeof id === 'number' ? id : undefined,
    environment: textOf(deployment, 'environment') || undefined,
  };
}

/** For messages, such as `check run 12`. */
function sourceOf(kind: string, made: unknown): string {
  const id = fieldOf(made, 'id');
  return typeof id === 'number' ? `${kind} ${id}` : kind;
}

/** The slug of the App that made a deployment or its status; empty if it was not an App. */
function appOf(made: unknown): string {
  if (textOf(made, 'creator', 'type') !== 'Bot') return '';
  return /^(.*)\[bot\]$/s.exec(textOf(made, 'creator', 'login'))?.[1] ?? '';
}
