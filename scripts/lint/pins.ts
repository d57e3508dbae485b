/** An action of another owner that our workflows, examples or pages use. */
interface Pin {
  /** As after `uses:`, without the commit. */
  readonly action: string;
  readonly version: string;
  readonly commit: string;
  /** `runs.using` of its `action.yml` at that commit. */
  readonly using: string;
  /** The actions that a composite one uses, as in its `action.yml`. */
  readonly steps?: readonly string[];
}

/**
 * Each was read from its repository in November 2026, at the commit of its version. Exception: of
 * `actions/create-github-app-token` the newest version that could be read was v3.1.1, which runs on
 * node24 too.
 */
export const PINS: readonly Pin[] = [
  node24('actions/cache/restore', 'v5.0.5', '27d5ce7f107fe9357f9df03efb73ab90386fccae'),
  node24('actions/cache/save', 'v5.0.5', '27d5ce7f107fe9357f9df03efb73ab90386fccae'),
  node24('actions/checkout', 'v7.0.1', '3d3c42e5aac5ba805825da76410c181273ba90b1'),
  node24('actions/configure-pages', 'v6.0.0', '45bfe0192ca1faeb007ade9deae92b16b8254a0d'),
  node24('actions/create-github-app-token', 'v3.2.0', 'bcd2ba49218906704ab6c1aa796996da409d3eb1'),
  node24('actions/deploy-pages', 'v5.0.0', 'cd2ce8fcbc39b97be8ca5fce6e763baed58fa128'),
  node24('actions/download-artifact', 'v8.0.1', '3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c'),
  node24('actions/setup-go', 'v7.0.0', 'b7ad1dad31e06c5925ef5d2fc7ad053ef454303e'),
  node24('actions/setup-node', 'v7.0.0', '820762786026740c76f36085b0efc47a31fe5020'),
  node24('actions/setup-python', 'v7.0.0', '5fda3b95a4ea91299a34e894583c3862153e4b97'),
  node24('actions/upload-artifact', 'v7.0.0', 'bbbca2ddaa5d8feaa63e36b76fdaad77386f024f'),
  node24(
    'aws-actions/configure-aws-credentials',
    'v6.2.3',
    'e6de054238d6b7531b4efff3b6587d9aade6a06c',
  ),
  node24('azure/setup-helm', 'v5.0.1', '9bc31f4ebc9c6b171d7bfbaa5d006ae7abdb4310'),
  node24('docker/login-action', 'v4.1.0', '4907a6ddec9925e35a0a9e82d7399ccc52663121'),
  node24('github/codeql-action/analyze', 'v4.36.2', '8aad20d150bbac5944a9f9d289da16a4b0d87c1e'),
  node24('github/codeql-action/init', 'v4.36.2', '8aad20d150bbac5944a9f9d289da16a4b0d87c1e'),
  node24('slackapi/slack-github-action', 'v4.0.0', 'dcb1066f776dd043e64d0e8ba94ca15cc7e1875d'),
  {
    action: 'actions/attest-build-provenance',
    version: 'v4.1.0',
    commit: 'a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32',
    using: 'composite',
    steps: ['actions/attest@59d89421af93a897026c735860bf21b6eb4f7b26'],
  },
  {
    action: 'actions/upload-pages-artifact',
    version: 'v5.0.0',
    commit: 'fc324d3547104276b827a68afc52ff2a11cc49c9',
    using: 'composite',
    steps: ['actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f'],
  },
  // Only a step of attest-build-provenance.
  node24('actions/attest', 'v4.1.0', '59d89421af93a897026c735860bf21b6eb4f7b26'),
];

function node24(action: string, version: string, commit: string): Pin {
  return { action, version, commit, using: 'node24' };
}

// A local action begins with `./`, and an example may name the action of a reader's own
// organization.
const USES = /\buses: *["']?((?!acme\/)[\w-][\w.-]*\/[\w./-]+)@([\w.-]+)["']?(?: *# *(\S+))?/g;

/**
 * What is wrong with the actions of others in a text: each must be in the table with its version
 * and commit.
 */
export function findUnknownPins(path: string, text: string, pins: readonly Pin[] = PINS): string[] {
  return [...text.matchAll(USES)].flatMap(([, action = '', commit, comment = '']) => {
    // In a TypeScript file a quote follows the comment.
    const version = comment.replace(/[^\w.]+$/, '');
    const isKnown = pins.some(
      (pin) => pin.action === action && pin.commit === commit && pin.version === version,
    );
    return isKnown
      ? []
      : [`${path}: ${action}@${commit} # ${version} is not in scripts/lint/pins.ts`];
  });
}

/** What is wrong with the table: since June 2026 GitHub's runners force Node.js 24. */
export function findOldRuntimes(pins: readonly Pin[] = PINS): string[] {
  const runsOnNode24 = (step: string) =>
    pins.some(({ action, commit, using }) => `${action}@${commit}` === step && using === 'node24');
  return pins.flatMap(({ action, version, using, steps = [] }) => {
    if (using === 'node24') return [];
    if (using !== 'composite') return [`${action} ${version} runs on ${using} instead of node24`];
    const unknown = steps.filter((step) => !runsOnNode24(step));
    return unknown.map(
      (step) => `${action} ${version} uses ${step}, which is not in the table with node24`,
    );
  });
}

/** Pins of the table that nothing uses. */
export function findUnusedPins(texts: readonly string[], pins: readonly Pin[] = PINS): string[] {
  const used = new Set([
    ...texts.flatMap((text) =>
      [...text.matchAll(USES)].map(([, action, commit]) => `${action}@${commit}`),
    ),
    ...pins.flatMap(({ steps = [] }) => steps),
  ]);
  return pins
    .filter(({ action, commit }) => !used.has(`${action}@${commit}`))
    .map(({ action }) => `${action} is not used`);
}
