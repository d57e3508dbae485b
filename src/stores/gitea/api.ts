import { configError } from '../../ground/errors.ts';
import { JsonApi } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { type Service, textAt } from '../../http/service.ts';

const service: Service = {
  name: 'Gitea',
  addressSetting: 'the server (?server= in the address)',
  // https://docs.gitea.com/api/: `APIError`.
  errorText: (reply) => textAt(reply, 'message'),
  meaning: (reply) => ({ lacksPermission: reply.status === 403 }),
};

// The most entries that a server gives in one reply, unless it is set up otherwise:
// https://docs.gitea.com/administration/config-cheat-sheet#api-api
export const PAGE_SIZE = 50;

/**
 * The REST API of a Gitea or Forgejo server, with one token. `serverUrl` is the address of the
 * server, which may have a path, without a trailing slash.
 */
export function giteaApi(http: Http, serverUrl: string, token: string): JsonApi {
  if (!URL.canParse(serverUrl)) {
    throw configError(
      `The address of the Gitea server, "${serverUrl}", is not a URL. Nothing was sent.`,
      'Name it in the address of the destination: gitea:repo/OWNER/REPO/NAME?server=https://gitea.example.com',
    );
  }
  return new JsonApi(http, service, () => ({
    url: `${serverUrl}/api/v1`,
    headers: { authorization: `token ${token}` },
  }));
}
