import * as z from 'zod/mini';
import { configError, protocolError } from '../../ground/errors.ts';
import { type ApiRequest, JsonApi } from '../../http/api.ts';
import type { Http } from '../../http/http.ts';
import { type Meaning, type Service, textAt } from '../../http/service.ts';

/** What a status says here besides its code, which is that of every service. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  401: { hint: 'The token is not accepted: it was deleted, or it is for another server.' },
  403: { lacksPermission: true },
};

const service: Service = {
  name: 'Gitea',
  addressSetting: 'the server (?server= in the address)',
  // https://docs.gitea.com/api/: `APIError`.
  errorText: (reply) => textAt(reply, 'message'),
  meaning: (reply) => MEANINGS[reply.status],
};

// The most entries that a server gives in one reply, unless it is set up otherwise:
// https://docs.gitea.com/administration/config-cheat-sheet#api-api
const PAGE_SIZE = 50;
// Far more pages than any server has: a list that never ends must not keep the run busy.
const MAX_PAGES = 100;

/** The REST API of a Gitea or Forgejo server, with one token. */
export class GiteaApi extends JsonApi {
  /** `serverUrl` is the address of the server, which may have a path, without a trailing slash. */
  constructor(http: Http, serverUrl: string, token: string) {
    if (!URL.canParse(serverUrl)) {
      throw configError(
        `The address of the Gitea server, "${serverUrl}", is not a URL. Nothing was sent.`,
        'Name it in the address of the destination: gitea:repo/OWNER/REPO/NAME?server=https://gitea.example.com',
      );
    }
    super(http, service, () => ({
      url: `${serverUrl}/api/v1`,
      headers: { authorization: `token ${token}` },
    }));
  }

  /**
   * All entries of a list that has pages. The list ends when it has as many entries as the server
   * says, or at an empty page: an entry may have been removed while the pages were read.
   */
  async listAll<T>(request: ApiRequest, entry: z.ZodMiniType<T>): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = { ...request.query, limit: PAGE_SIZE, page };
      const { value: entries, reply } = await this.readReply({ ...request, query }, z.array(entry));
      all.push(...entries);
      // NaN if the server does not say how many there are: then `isComplete` is false.
      const total = Number(reply.headers['x-total-count'] ?? Number.NaN);
      const isComplete = all.length >= total;
      // Only without a total does a short page end the list: some servers give smaller pages than
      // were asked for.
      const isShortPage = Number.isNaN(total) && entries.length < PAGE_SIZE;
      if (entries.length === 0 || isComplete || isShortPage) return all;
    }
    throw protocolError(`The list ${request.path.join('/')} has more than ${MAX_PAGES} pages.`);
  }
}
