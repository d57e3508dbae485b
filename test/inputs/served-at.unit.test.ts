import { describe, expect, it } from 'vitest';
import { errorOf, type Given, problemOf, readExport } from './reading.ts';

const PAGES = 'https://acme.github.io/handbook/';
const COPY = { 'served-at': PAGES, 'extract-to': 'site' };
const BY_PROJECT = { domain: '', 'project-id': 'p1' };

describe('served-at', () => {
  it.each([
    [PAGES, PAGES, '/handbook'],
    ['https://acme.github.io/handbook', PAGES, '/handbook'],
    [
      'http://10.0.0.5:8080/team/hand_book~1.0/',
      'http://10.0.0.5:8080/team/hand_book~1.0/',
      '/team/hand_book~1.0',
    ],
    ['https://Docs.Example.com', 'https://docs.example.com/', ''],
    ['https://docs.example.com/', 'https://docs.example.com/', ''],
  ])('The address %s has the path of the copy', (given, url, path) => {
    const { servedAt } = readExport({ ...COPY, 'served-at': given }).bundle;
    expect(servedAt).toEqual({ url, path });
  });

  it.each([
    ['acme.github.io/handbook', 'the address of the start page of the copy, such as https://'],
    ['ftp://acme.github.io/handbook/', 'the address of the start page of the copy'],
    [`${PAGES}?a=1`, 'without query and fragment'],
    [`${PAGES}#top`, 'without query and fragment'],
    ['https://ada:canary-pw@acme.github.io/', 'without user name and password'],
    ['https://acme.github.io/a/../handbook/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/a/./handbook/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/..', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io//handbook/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/handbook//', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/hand"book/', 'letters, digits and . _ ~ -'],
    ["https://acme.github.io/hand'book/", 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/hand<book/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/hand\\book/', 'the address of the start page of the copy'],
    ['https://acme.github.io/hand%20book/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/$&/', 'letters, digits and . _ ~ -'],
    ['https://acme.github.io/händbuch/', 'in ASCII'],
    ['https://müller.example/', 'in ASCII'],
    ['https://acme.github.io/handbook/index.html', 'without index.html'],
  ])('The address %s is refused', (given, why) => {
    expect(problemOf({ ...COPY, 'served-at': given })).toContain(why);
  });

  it.each<[string, Given, string | undefined]>([
    ['/documentation for another path', { 'served-at': PAGES }, '/documentation'],
    [
      'the path itself, if it is one of its own',
      { 'served-at': 'https://a.example/docs/' },
      '/docs',
    ],
    ['nothing without a path', { 'served-at': 'https://a.example/' }, undefined],
    [
      'what base-path says, if both agree',
      { 'served-at': PAGES, 'base-path': '/documentation' },
      '/documentation',
    ],
    ['nothing without the input', { 'served-at': '' }, undefined],
  ])('By project, the platform is asked for %s', (_, given, path) => {
    const { basePath, projectId } = readExport({ ...COPY, ...BY_PROJECT, ...given });
    expect([projectId, basePath]).toEqual(['p1', path]);
  });

  it('With both domain and project-id, a copy below a path is exported by project, and any other by domain', () => {
    const both = { ...COPY, 'project-id': 'p1' };
    expect(readExport(both)).toMatchObject({ projectId: 'p1', basePath: '/documentation' });
    const atTop = readExport({ ...both, 'served-at': 'https://docs.example.com/' });
    expect(atTop).toMatchObject({ projectId: undefined, basePath: undefined });
  });

  it('An export that is there already is not asked for with a base path', () => {
    const attached = readExport({ ...COPY, ...BY_PROJECT, 'export-job-id': 'job-1' });
    expect(attached.basePath).toBeUndefined();
    const both = readExport({ ...COPY, 'project-id': 'p1', 'export-job-id': 'job-1' });
    expect([both.projectId, both.basePath]).toEqual([undefined, undefined]);
  });

  it('A path of the platform may be delivered as its archive', () => {
    const given = { ...BY_PROJECT, 'served-at': 'https://a.example/docs/', 'bundle-path': 'a.zip' };
    expect(readExport(given).bundle.servedAt?.path).toBe('/docs');
  });

  it.each<[Given, readonly string[]]>([
    [
      { 'bundle-path': 'docs.zip', 'extract-to': '' },
      [
        'served-at has the path /handbook',
        'and bundle-path delivers that archive',
        '"extract-to":""',
      ],
    ],
    [
      { to: 'file:link.txt', 'extract-to': '' },
      ['served-at has the path /handbook', 'and to delivers'],
    ],
    [{ to: 'file:link.txt' }, ['and to delivers']],
    [{ 'bundle-path': 'docs.zip' }, ['and bundle-path delivers']],
    [
      { 'project-id': 'p1', 'export-paths': 'guide/start' },
      ['export-paths is part of an export by domain; served-at with the path /handbook'],
    ],
    [
      { 'project-id': 'p1', 'export-version': 'v1' },
      ['export-version is part of an export by domain; served-at with the path /handbook'],
    ],
    [
      { ...BY_PROJECT, 'base-path': '/docs' },
      [
        'base-path is /docs, and served-at (https://acme.github.io/handbook/)',
        '"base-path":"/documentation"',
      ],
    ],
    [
      { ...BY_PROJECT, 'base-path': '/docs', 'served-at': 'https://a.example/' },
      ['base-path is /docs, and served-at', '"base-path":"/"'],
    ],
    [
      { 'live-url': 'https://docs.example.com/handbook' },
      ['live-url is https://docs.example.com/handbook, and served-at is', `"live-url":"${PAGES}"`],
    ],
    [
      { 'live-url': 'https://acme.github.io' },
      ['live-url is https://acme.github.io, and served-at'],
    ],
  ])('The inputs %j beside the path /handbook are an error', (given, whys) => {
    const { message, hint } = errorOf({ ...COPY, ...given });
    const problem = `${message}\n${JSON.stringify(hint)}`;
    for (const why of whys) expect(problem).toContain(why);
  });

  it('The same address in live-url is taken, with and without a slash', () => {
    for (const liveUrl of [PAGES, 'https://acme.github.io/handbook'])
      expect(readExport({ ...COPY, 'live-url': liveUrl }).live?.url).toBe(
        'https://acme.github.io/handbook',
      );
  });
});
