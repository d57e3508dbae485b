import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { GitHubEmulator, Permissions } from '../../emulator/src/github/emulator.ts';

/** The HTTP requests of the stand-ins for published actions. */
export interface Desk extends AsyncDisposable {
  readonly url: string;
  /** The address of a channel's incoming webhook. */
  readonly webhook: string;
  /** The posted texts. */
  readonly posts: readonly string[];
}

export interface DeskOptions {
  readonly github: GitHubEmulator;
  readonly app: { readonly id: string; readonly privateKey: string };
}

const level = z.enum(['read', 'write']);
const wish = z.object({
  clientId: z.string(),
  privateKey: z.string(),
  // Strict: GitHub answers 422 for a permission that it does not know.
  permissions: z.strictObject({
    actions_variables: z.exactOptional(level),
    environments: z.exactOptional(level),
    organization_actions_variables: z.exactOptional(level),
    organization_secrets: z.exactOptional(level),
    secrets: z.exactOptional(level),
  }),
  repositories: z.optional(z.array(z.string())),
});

const CHANNEL = '/services/T0/B0/made-up';

/**
 * The permissions from the installation of the GitHub App: a token that requests none has all of
 * them.
 */
const ALL: Permissions = {
  actions_variables: 'write',
  environments: 'write',
  organization_actions_variables: 'write',
  organization_secrets: 'write',
  secrets: 'write',
};

export async function openDesk({ github, app }: DeskOptions): Promise<Desk> {
  const giveToken = (body: string): { status: number; answer: Record<string, string> } => {
    const { clientId, privateKey, permissions, repositories } = wish.parse(JSON.parse(body));
    if (clientId !== app.id || privateKey.trim() !== app.privateKey.trim()) {
      return {
        status: 401,
        answer: { error: 'A JSON web token could not be decoded: wrong client-id or private-key.' },
      };
    }
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    const asked = Object.keys(permissions).length > 0 ? permissions : ALL;
    github.setToken(token, { name: 'app', kind: 'app', permissions: asked, repositories });
    return { status: 201, answer: { token } };
  };
  const posts: string[] = [];
  const server = createServer(async (request, response) => {
    let reply: ReturnType<typeof giveToken>;
    try {
      const body = await text(request);
      if (request.url === CHANNEL) {
        posts.push(body);
        response.end('ok');
        return;
      }
      reply = giveToken(body);
    } catch (error) {
      reply = {
        status: 422,
        answer: { error: error instanceof Error ? error.message : String(error) },
      };
    }
    response
      .writeHead(reply.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(reply.answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const url = `http://127.0.0.1:${port}`;
  return { url, webhook: `${url}${CHANNEL}`, posts, [Symbol.asyncDispose]: close };
}
