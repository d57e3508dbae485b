import type { InputContext, InputReader } from '../values/reader.ts';
import * as values from '../values/values.ts';
import { type CommonInputs, readComment, readFollow } from './read-common.ts';

/**
 * The inputs of mode `publish`; undefined if one is missing. Reads all of them, so that each fault
 * is reported.
 */
export function readUpdate(reader: InputReader, context: InputContext, common: CommonInputs) {
  const adminApiKey = reader.required('admin-api-key', values.apiKey('admin'));
  const projectId = reader.required('project-id', values.pathId, ': it names what is published');
  const update = {
    /** A preview of this branch is made. undefined: the run says what is published. */
    branch: reader.optional('branch', values.branch),
    /** undefined: no comment is written. */
    comment: readComment(reader, context),
    /** The token for GitHub, to compare commits and to read pull requests. */
    token: reader.optional('github-token', values.apiToken),
    /** A preview may have an address of a private network also if the platform is public. */
    allowPrivateHosts: reader.required('allow-private-hosts', values.boolean) ?? false,
    ...readFollow(reader),
  } as const;
  if (adminApiKey === undefined || projectId === undefined) return undefined;
  return { mode: 'publish', ...common, adminApiKey, projectId, ...update } as const;
}
