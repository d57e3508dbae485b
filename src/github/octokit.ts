/** The GitHub REST client that the rest of the folder works with. */
export type Octokit = ReturnType<typeof import('@actions/github').getOctokit>;
