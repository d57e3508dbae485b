import { expect, it } from 'vitest';
import { createGitHub } from '../../src/github/connection.ts';
import { Http } from '../../src/http/http.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { makeRunContext } from '../support/make-run.ts';
import { recordingLog } from '../support/recording-log.ts';

it('A connection makes one client for a token and a signal, however often it is requested', async () => {
  const { signal } = new AbortController();
  const github = createGitHub({
    run: makeRunContext({ eventPath: '' }),
    signal,
    http: new Http({ clock: fakeClock(), log: recordingLog(), signal }),
  });
  const first = await github.connect('ghs_first');
  expect(await github.connect('ghs_first')).toBe(first);
  expect(await github.connect('ghs_first', signal)).toBe(first);
  expect(await github.connect('ghs_second')).not.toBe(first);
  expect(await github.connect('ghs_first', new AbortController().signal)).not.toBe(first);
});
