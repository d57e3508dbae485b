const RUNS = /^runs:\n {2}using: node24\n {2}main: dist\/index\.js\n$/m;
// Inputs and outputs of mode agent alone, with their defaults.
const AGENT_ONLY = /^ {2}[a-z-]+:\n {4}description: ['"]\[agent\] .*\n(?: {4}.*\n)*/gm;

/**
 * A copy of the action for runners of Gitea and Forgejo that do not know `using: node24`, without
 * the agent, which does not run there.
 */
export function renderGiteaAction(action: string): string {
  if (!RUNS.test(action))
    throw new Error('action.yml does not end as the action for older runners expects it');
  const note =
    '# Made from action.yml by `npm run docs`: change that file. For runners that refuse `using: node24`.\n';
  const own = action.replace(AGENT_ONLY, '').replace(', `agent` or `search`;', ' or `search`;');
  return note + own.replace(RUNS, 'runs:\n  using: node20\n  main: ../dist/index.js\n');
}
