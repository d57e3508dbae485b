const RUNS = /^runs:\n {2}using: node24\n {2}main: dist\/index\.js\n$/m;

/** A copy of the action for runners of Gitea and Forgejo that do not know `using: node24`. */
export function renderGiteaAction(action: string): string {
  if (!RUNS.test(action)) throw new Error('action.yml does not end as the action for older runners expects it');
  const note = '# Made from action.yml by `npm run docs`: change that file. For runners that refuse `using: node24`.\n';
  return note + action.replace(RUNS, 'runs:\n  using: node20\n  main: ../dist/index.js\n');
}
