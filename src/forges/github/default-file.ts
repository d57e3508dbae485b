import { hasCode } from '../../errors.ts';
import { contents, readContents } from '../default-file.ts';
import type { DefaultFile } from '../port.ts';
import type { Calls } from './calls.ts';
import * as replies from './replies.ts';

/** Needs `contents: read`; undefined where the file is not there, or the token may not see it. */
export async function readDefaultFile(calls: Calls, path: string, maxBytes: number): Promise<DefaultFile | undefined> {
  const repository = 'GET /repos/{owner}/{repo}';
  const { default_branch: ref } = await calls.read('read the repository', repository, {}, replies.defaultBranch);
  const newest = 'GET /repos/{owner}/{repo}/commits/{ref}';
  // A bare name could be that of a tag, which people may set who may not push to the branch.
  const branch = { ref: `heads/${ref}` };
  try {
    const { sha: commit } = await calls.read('read the default branch', newest, branch, replies.commit);
    const route = 'GET /repos/{owner}/{repo}/contents/{+path}';
    const parameters = { path: path.split('/').map(encodeURIComponent).join('/'), ref: commit };
    return readContents(await calls.read(`read ${path}`, route, parameters, contents), { path, commit, maxBytes });
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
