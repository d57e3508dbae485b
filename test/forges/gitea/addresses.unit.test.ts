import { expect, test } from 'vitest';
import { readAddress } from '../../../src/forges/gitea/host.ts';

const SERVER = 'https://git.example.com/code';

test.each([
  ['https://git.example.com/code/Ada/App', 'ada/app'],
  ['https://git.example.com/code/ada/app.git', 'ada/app'],
  ['https://GIT.example.com/code/my.org/app_1/', 'my.org/app_1'],
  ['https://git.example.com/ada/app', undefined],
  ['https://git.example.com/code/ada', undefined],
  ['https://git.example.com/code/ada/app?x=1', undefined],
  ['https://evil.example/code/ada/app', undefined],
  ['https://git.example.com/code/../evil/app', undefined],
  ['https://git.example.com.evil.example/code/ada/app', undefined],
])('The repository address %s is read as %s', (url, name) => {
  expect(readAddress(url, SERVER)).toEqual(name && { repository: name, number: undefined });
});

test.each([
  ['https://git.example.com/code/Ada/App/pulls/12', { repository: 'ada/app', number: 12 }],
  ['https://git.example.com/code/ada/app/pulls/12/', { repository: 'ada/app', number: 12 }],
  ['https://git.example.com/code/ada/app/pull/12', undefined],
  ['https://git.example.com/code/ada/app/pulls/0', undefined],
  ['https://git.example.com/code/ada/app/pulls/12)[x](https://evil.example', undefined],
  ['https://git.example.com/ada/app/pulls/12', undefined],
])('The pull request address %s is read as %o', (url, pull) => {
  expect(readAddress(url, SERVER)).toEqual(pull);
});
