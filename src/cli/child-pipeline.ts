import * as z from 'zod/mini';

const matrixShape = z.object({ include: z.array(z.object({ site: z.string() })) });

/**
 * A child pipeline of GitLab with a job for each site of a matrix, in JSON, which is YAML too. GitLab starts no pipeline
 * without a job.
 */
export function childPipeline(matrix: string, configFile: string): string {
  const { include } = matrixShape.parse(JSON.parse(matrix));
  const jobs = include.map(({ site }) => [
    `export-${site}`,
    {
      image: 'node:24-slim',
      resource_group: `docs-courier-${site}`,
      interruptible: false,
      script: [
        `npx --yes docs-courier@1 export --config-file ${shellWord(configFile)} --site ${shellWord(site)} --output-file docs-courier.env`,
      ],
      artifacts: { when: 'always', reports: { dotenv: 'docs-courier.env' } },
    },
  ]);
  const nothing = {
    'no-site-has-changed': { script: ['echo "No site has changed."'], variables: { GIT_STRATEGY: 'none' } },
  };
  return `${JSON.stringify(jobs.length === 0 ? nothing : Object.fromEntries(jobs), undefined, 2)}\n`;
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
