import type http from 'node:http';
import type { Server } from 'node:net';
import { readAddress } from '../../emulator/src/server.ts';

/** Starts a server on a free port of 127.0.0.1, and returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return readAddress(server.address()).port;
}

/** Ends a server together with its connections. */
export async function stopServer(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
