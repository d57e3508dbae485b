import nock from 'nock';
import { afterEach } from 'vitest';

// No unit test leaves the process by accident, not even for this machine: what needs a server is an integration test.
nock.disableNetConnect();

afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
});
