import { describeChanges } from '../support/agent-change-scenarios.ts';
import { describeAgent, describeAgentFaults, describeLeftovers } from '../support/agent-scenarios.ts';
import { startEmulatedAgentSite } from '../support/agent-sites/gitea-emulated.ts';
import { startGitHubSite } from '../support/agent-sites/github.ts';

for (const [name, start] of [
  ['GitHub', startGitHubSite],
  ['Gitea', startEmulatedAgentSite],
] as const) {
  describeAgent(name, start);
  describeAgentFaults(name, start);
  describeLeftovers(name, start);
  describeChanges(name, start);
}
