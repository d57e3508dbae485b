import { configError } from '../ground/errors.ts';
import { withoutSlash } from '../ground/text/names.ts';
import type { InputContext } from '../values/reader.ts';
import type { OnServer } from './address-parts.ts';
import type { Opening } from './kind.ts';

/** A forge that organizations run on their own servers. */
interface ServerForge {
  /** Such as `Gitea or Forgejo`. */
  readonly name: string;
  /** The CI systems that run on its servers. */
  readonly systems: readonly string[];
}

/** The server of a destination in the text that its state is signed for, such as `gitea://HOST/PATH`. */
export function signedServer(scheme: string, serverUrl: string): string {
  const { host, pathname } = new URL(serverUrl);
  return `${scheme}://${host}${withoutSlash(pathname)}`;
}

/** The address, without its server if that is the server of the run, which is then implied. */
export function withoutOwnServer<T extends OnServer>(
  address: T,
  forge: ServerForge,
  context: InputContext,
): T {
  const run = context.run;
  // The server of a run on another CI system is not one of this forge.
  if (run === undefined || !forge.systems.includes(run.kind)) return address;
  if (run.serverUrl === undefined || address.server !== withoutSlash(run.serverUrl)) return address;
  return { ...address, server: undefined };
}

/**
 * The server that the address names. If it names none: on a person's machine the server of the
 * clone, on a CI system of this forge the server of the run. `text` is the address. Throws `config`
 * if there is no such server.
 */
export async function serverOf(
  address: OnServer,
  text: string,
  forge: ServerForge,
  opening: Opening,
): Promise<string> {
  const run = opening.run;
  let server = address.server;
  // A run on any other CI system says nothing about a server of this forge.
  if (run.kind === 'local') server ??= await opening.cloneServer();
  if (forge.systems.includes(run.kind)) server ??= run.serverUrl;
  if (server !== undefined) return server;
  // The address may have a query already, such as its environment.
  const separator = text.includes('?') ? '&' : '?';
  throw configError(
    `${text} names no server, and this run is not on ${forge.name}. Nothing was sent.`,
    {
      text: 'Name the server:',
      inputs: { to: `${text}${separator}server=https://HOST` },
    },
  );
}
