/**
 * Serves one file from memory, as a separate process, so both sides of a comparison load it
 * equally.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const archive = readFileSync(process.argv[2] ?? '');
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': archive.length, etag: '"bench"' }).end(archive);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
