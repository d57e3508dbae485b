import nock from 'nock';
import { afterEach } from 'vitest';

// Unit tests must not open connections, not even to this machine: a test that needs a server is an
// integration test.
nock.disableNetConnect();

afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});
