import { deflateRawSync, gzipSync } from 'node:zlib';
import {
  pax,
  streamed,
  type TarMember,
  tar,
  tarGz,
  tarMember,
  unicodePath,
  wideSizes,
  type ZipMember,
  zip,
} from './archives.ts';

/** Archives built by hand, each with its expected outcome: accepted, or refused with this code. */
interface Specimen {
  readonly name: string;
  readonly archive: Buffer;
  readonly outcome: 'ok' | 'unsafe-archive' | 'integrity' | 'protocol';
  /** Some names are harmless elsewhere, but refused in a workspace. */
  readonly elsewhere?: 'ok';
}

type Row = readonly [name: string, archive: Buffer, outcome: Specimen['outcome']];

const page: TarMember = { name: 'index.html', content: '<p>hello</p>' };
const zipPage: ZipMember = { name: 'index.html', content: '<p>hello</p>' };
const GOOD = tarGz([page]);
const zeros = Buffer.alloc(11 * 1024 * 1024);

const UNSAFE_NAMES: readonly string[] = [
  '../x',
  'a/../../x',
  '/abs',
  'C:\\x',
  'C:/x',
  '\\\\srv\\x',
  '..\\x',
  'a/./b',
  'a//b',
  'a/.',
  'x:stream',
  'what?.html',
  'a*b',
  'a<b',
  'a|b',
  'a"b',
  'tab\there',
  'line\nbreak',
  'dot.',
  'space ',
  'folder./x',
  'CON',
  'nul.txt',
  'com1',
  'a/LPT9.html',
  'AUX .txt',
  '..',
  'x\u202etxt.html',
  'bell\u0007',
  'c1\u0085',
  'line\u2028separator',
  'paragraph\u2029separator',
  `${'n'.repeat(256)}.html`,
  Array.from({ length: 65 }, () => 'd').join('/'),
];
const ACTING_NAMES = [
  '.git/config',
  '.github/workflows/x.yml',
  '.npmrc',
  'sub/.bashrc',
  '.GIT/hooks/x',
  '.g\u200cit/x',
  'git~1/x',
];

function longNamed(name: string): (TarMember | Buffer)[] {
  return [
    page,
    ...(Buffer.byteLength(name) > 100 ? [pax({ path: name })] : []),
    { name: Buffer.byteLength(name) > 100 ? 'short' : name, content: 'x' },
  ];
}

const names: Specimen[] = [
  ...UNSAFE_NAMES.flatMap((name): Specimen[] => [
    {
      name: `tar with the name ${JSON.stringify(name.slice(0, 40))}`,
      archive: tarGz(longNamed(name)),
      outcome: 'unsafe-archive',
    },
    {
      name: `zip with the name ${JSON.stringify(name.slice(0, 40))}`,
      archive: zip([zipPage, { name, content: 'x' }]),
      outcome: 'unsafe-archive',
    },
  ]),
  ...ACTING_NAMES.flatMap((name): Specimen[] => [
    {
      name: `tar with ${JSON.stringify(name)}`,
      archive: tarGz([page, { name, content: 'x' }]),
      outcome: 'unsafe-archive',
      elsewhere: 'ok',
    },
    {
      name: `zip with ${JSON.stringify(name)}`,
      archive: zip([zipPage, { name, content: 'x' }]),
      outcome: 'unsafe-archive',
      elsewhere: 'ok',
    },
  ]),
];

/** A prefix with the times of access and of change behind it, as the tar of npm writes them. */
function withTimes(prefix: string): string {
  return prefix.padEnd(131, '\0') + '15303117155\0'.repeat(2);
}

const TAR_KINDS: readonly (readonly [string, TarMember[]])[] = [
  ['a symbolic link out', [{ name: 'l', type: '2', linkName: '../../etc' }]],
  ['a symbolic link inside', [{ name: 'l', type: '2', linkName: 'index.html' }]],
  ['a hard link out', [{ name: 'l', type: '1', linkName: '/etc/passwd' }]],
  [
    'a link that is then written through',
    [
      { name: 'l', type: '2', linkName: '/tmp' },
      { name: 'l/x', content: 'x' },
    ],
  ],
  ['a FIFO', [{ name: 'f', type: '6' }]],
  ['a character device', [{ name: 'c', type: '3' }]],
  ['a block device', [{ name: 'b', type: '4' }]],
  ['a contiguous file', [{ name: 'c', type: '7', content: 'x' }]],
  ['a GNU sparse file', [{ name: 's', type: 'S', content: 'x' }]],
  ['an unknown kind', [{ name: 'q', type: 'q', content: 'x' }]],
  ['a long link name', [{ name: '././@LongLink', type: 'K', content: 'target\0' }]],
  ['one name twice', twoFiles('a', 'a')],
  ['names that differ in case', twoFiles('a', 'A')],
  ['folders that differ in case', twoFiles('Dir/a', 'dir/b')],
  ['names that differ in accents', twoFiles('e\u0301', '\u00e9')],
  ['names that differ in compatibility forms', twoFiles('\ufb01le', 'file')],
  ['names that differ in a long s', twoFiles('\u017ft/a', 'st/b')],
  ['a file that is then a folder', twoFiles('a', 'a/b')],
  ['a folder that is then a file', twoFiles('a/b', 'a')],
  [
    'one folder twice',
    [
      { name: 'd/', type: '5' },
      { name: 'd/', type: '5' },
    ],
  ],
  ['a name that is not UTF-8', [{ name: Buffer.from([0x61, 0xff, 0x62]), content: 'x' }]],
  ['a name with something behind a NUL', [{ name: 'a\0../../x', content: 'x' }]],
  ['a negative size', [{ name: 'a', size: Buffer.from('ffffffffffffffffffffffff', 'hex') }]],
  ['an impossible size', [{ name: 'a', size: Buffer.from('80ffffffffffffffffffffff', 'hex') }]],
  ['a size that is not a number', [{ name: 'a', size: '9zzz' }]],
  // For Python, such a header is the end of the archive.
  ['a mode that is not a number', [{ name: 'a', mode: '06x4644\0' }]],
  ['a folder with content', [{ name: 'd/', type: '5', content: 'x' }]],
  ['a file beyond the limit', [{ name: 'a', size: '77777777777\0' }]],
  ['a prefix that leads out', [{ name: 'x', prefix: '../..', content: 'x' }]],
  [
    'a prefix in a format with another version',
    [{ name: 'other.html', content: 'x', prefix: '../..', magic: 'ustar\x0001' }],
  ],
  [
    'a prefix in the format of GNU',
    [{ name: 'other.html', content: 'x', prefix: 'guide', magic: 'ustar  \0' }],
  ],
  [
    'a prefix from before POSIX',
    [{ name: 'other.html', content: 'x', prefix: 'guide', magic: '' }],
  ],
  ['an unknown format without a prefix', [{ name: 'other.html', content: 'x', magic: 'ustar 00' }]],
  [
    'something hidden behind a prefix',
    [{ name: 'other.html', content: 'x', prefix: 'guide\0hidden' }],
  ],
  [
    'a text where npm has times behind a prefix',
    [{ name: 'other.html', content: 'x', prefix: `${'guide'.padEnd(131, '\0')}hidden` }],
  ],
  [
    'times behind the prefix in the format of GNU',
    [{ name: 'other.html', content: 'x', prefix: withTimes(''), magic: 'ustar  \0' }],
  ],
];

const tarKinds: Specimen[] = TAR_KINDS.flatMap(([name, members]): Specimen[] => [
  { name: `tar.gz with ${name}`, archive: tarGz([page, ...members]), outcome: 'unsafe-archive' },
  { name: `tar with ${name}`, archive: tar([page, ...members]), outcome: 'unsafe-archive' },
]);

const extended: readonly Row[] = [
  ['pax with a path that leads out', withPax({ path: '../x' }), 'unsafe-archive'],
  [
    'pax with another size',
    tarGz([page, pax({ size: '9' }), { name: 'x', content: 'abc' }]),
    'unsafe-archive',
  ],
  ['pax with a negative size', withPax({ size: '-1' }), 'unsafe-archive'],
  ['pax with a link', withPax({ linkpath: '/etc' }), 'unsafe-archive'],
  ['pax with a hole', withPax({ 'GNU.sparse.major': '1' }), 'unsafe-archive'],
  [
    'pax with attributes that contain a NUL: SELinux, capabilities, a resource fork',
    tarGz([
      pax({ 'RHT.security.selinux': 'system_u:object_r:httpd_sys_content_t:s0\0' }),
      page,
      pax({ 'SCHILY.xattr.security.capability': '\x01\0\0\x02\0\x04\0\0', path: 'logo.svg' }),
      { name: 'x' },
      pax({ 'SCHILY.xattr.com.apple.ResourceFork': '\0\0\x01\0\0\0=' }, 'g'),
      { name: 'y' },
    ]),
    'ok',
  ],
  ['pax with a NUL in the name of an attribute', withPax({ 'path\0.x': 'a' }), 'unsafe-archive'],
  ['pax with a NUL in a remark', withPax({ comment: 'a\0b' }), 'unsafe-archive'],
  ['pax with a NUL', withPax({ path: 'a\0b' }), 'unsafe-archive'],
  ['pax with a key twice', withPax(Buffer.from('10 path=a\n10 path=b\n')), 'unsafe-archive'],
  ['pax with a wrong length', withPax(Buffer.from('99 path=a\n')), 'unsafe-archive'],
  ['pax over 1 MiB', withPax({ comment: 'x'.repeat(1_100_000) }), 'unsafe-archive'],
  ...[
    'uid=-1',
    'gid=x',
    'mtime=NaN',
    'atime=1e3',
    'path=',
    'SCHILY.realsize=9',
    'GNU.dumpdir=Ya',
  ].map((record): Row => {
    const [key = '', value = ''] = record.split('=');
    const archive = withPax({ [key]: value });
    return [`pax with ${record}`, archive, 'unsafe-archive'];
  }),
  [
    'pax with a record behind its end',
    tarGz([page, withPadding(pax({ comment: 'x' }), '16 path=evil.sh\n'), { name: 'x' }]),
    'unsafe-archive',
  ],
  [
    'pax with the numbers that programs write',
    tarGz([
      pax({ uid: '4294967294', gid: '0', mtime: '-1.5', atime: '1700000000.123456789' }),
      page,
    ]),
    'ok',
  ],
  ['pax that belongs to nothing', tarGz([page, pax({ path: 'a' })]), 'integrity'],
  [
    'two pax headers in a row',
    tarGz([page, pax({ path: 'a' }), pax({ path: 'b' }), { name: 'x' }]),
    'unsafe-archive',
  ],
  ['pax for all that renames', tarGz([pax({ path: 'all' }, 'g'), page]), 'unsafe-archive'],
  ['pax in another alphabet', withPax({ hdrcharset: 'BINARY' }), 'unsafe-archive'],
  ['pax for all with a remark', tarGz([pax({ comment: 'commit' }, 'g'), page]), 'ok'],
  ['pax with a long name', withPax({ path: `${'a'.repeat(200)}/x.html` }), 'ok'],
  [
    'GNU long name',
    tarGz([
      page,
      { name: '././@LongLink', type: 'L', content: `${'b'.repeat(150)}.html\0` },
      { name: 'b' },
    ]),
    'ok',
  ],
  [
    'GNU long name without its last NUL',
    tarGz([
      page,
      { name: '././@LongLink', type: 'L', content: `${'b'.repeat(150)}.html` },
      { name: 'b' },
    ]),
    'unsafe-archive',
  ],
  [
    'GNU long name that leads out',
    tarGz([page, { name: '././@LongLink', type: 'L', content: '../../x\0' }, { name: 'b' }]),
    'unsafe-archive',
  ],
];

/** Two files with different content. */
function twoFiles(name: string, second: string): TarMember[] {
  return [
    { name, content: '1' },
    { name: second, content: '2' },
  ];
}

/** A page, and a file whose header has these records. */
function withPax(...given: Parameters<typeof pax>): Buffer {
  return tarGz([page, pax(...given), { name: 'x' }]);
}

/** With something in what fills its last block. */
function withPadding(member: Buffer, padding: string): Buffer {
  const copy = Buffer.from(member);
  copy.write(padding, copy.length - padding.length);
  return copy;
}

const broken: readonly Row[] = [
  ['a wrong header checksum', tarGz([page, { name: 'x', checksum: 'wrong' }]), 'integrity'],
  ['a tar without an end', gzipSync(tar([page], Buffer.alloc(0))), 'integrity'],
  [
    'a tar cut within a file',
    gzipSync(tarMember({ name: 'x', content: 'y'.repeat(2000) }).subarray(0, 1000)),
    'integrity',
  ],
  [
    'a tar with something behind its end',
    gzipSync(Buffer.concat([tar([page]), tar([page])])),
    'integrity',
  ],
  ['a cut gzip', GOOD.subarray(0, GOOD.length - 12), 'integrity'],
  ['a gzip without its last byte', GOOD.subarray(0, GOOD.length - 1), 'integrity'],
  ['a gzip with something behind it', Buffer.concat([GOOD, Buffer.from('garbage')]), 'integrity'],
  ['a gzip with a zero behind it', Buffer.concat([GOOD, Buffer.from([0])]), 'integrity'],
  ['two gzip members', Buffer.concat([GOOD, GOOD]), 'integrity'],
  ['a wrong gzip CRC', flip(GOOD, GOOD.length - 6), 'integrity'],
  ['a wrong gzip length', flip(GOOD, GOOD.length - 2), 'integrity'],
  ['a gzip header with reserved flags', patched(GOOD, 3, 0x80), 'integrity'],
  ['a wrong gzip header checksum', withHeaderChecksum(0x1234), 'integrity'],
  ['a broken deflate stream', flip(GOOD, 14), 'integrity'],
  ['a gzip in a gzip', gzipSync(GOOD), 'integrity'],
  ['no entries (tar)', tarGz([]), 'integrity'],
  ['only folders (tar)', tarGz([{ name: 'd/', type: '5' }]), 'integrity'],
  ['no entries (zip)', zip([]), 'integrity'],
  ['only folders (zip)', zip([{ name: 'd/', method: 0, mode: 0o040755 }]), 'integrity'],
  ['zeros 1000 to 1 (tar)', tarGz([page, { name: 'z', content: zeros }]), 'unsafe-archive'],
  ['zeros 1000 to 1 (zip)', zip([zipPage, { name: 'z', content: zeros }]), 'unsafe-archive'],
  ['XML', Buffer.from('<?xml version="1.0"?><Error/>'), 'protocol'],
  ['HTML', Buffer.from(`<!doctype html>${' '.repeat(600)}`), 'protocol'],
  ['one byte', Buffer.from('x'), 'protocol'],
];

function flip(data: Buffer, at: number): Buffer {
  return patched(data, at, (data[at] ?? 0) ^ 0x55);
}

function patched(data: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(data);
  copy[at] = value;
  return copy;
}

function withHeaderChecksum(checksum: number): Buffer {
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(checksum);
  return Buffer.concat([patched(GOOD.subarray(0, 10), 3, 2), sum, GOOD.subarray(10)]);
}

const STREAMED: readonly ZipMember[] = [
  { name: 'index.html', content: '<p>hello</p>' },
  { name: 'empty.html', content: '' },
  { name: 'empty.txt', content: '', method: 0 },
  { name: 'stored.html', content: 'stored', method: 0 },
];
const local = zip([zipPage]);
const ZIPS: readonly Row[] = [
  [
    'a symbolic link',
    zip([zipPage, { name: 'l', content: '/etc', mode: 0o120777 }]),
    'unsafe-archive',
  ],
  ['a FIFO', zip([zipPage, { name: 'f', mode: 0o010644 }]), 'unsafe-archive'],
  ['one name twice', zip([zipPage, { name: 'a' }, { name: 'a' }]), 'unsafe-archive'],
  ['names that differ in case', zip([zipPage, { name: 'a' }, { name: 'A' }]), 'unsafe-archive'],
  [
    'a file that is then a folder',
    zip([zipPage, { name: 'a' }, { name: 'a/b' }]),
    'unsafe-archive',
  ],
  ['a NUL in a name', zip([zipPage, { name: 'a\0b' }]), 'unsafe-archive'],
  [
    'another local name',
    zip([zipPage, { name: 'safe.txt', localName: '../x.txt' }]),
    'unsafe-archive',
  ],
  [
    'another local method',
    zip([zipPage, { name: 'a', content: 'x', localMethod: 0 }]),
    'unsafe-archive',
  ],
  [
    'another local size',
    zip([zipPage, { name: 'a', content: 'x', localSize: 99 }]),
    'unsafe-archive',
  ],
  [
    'two files on one place',
    zip([zipPage, { name: 'a', content: '<p>hello</p>', at: 0 }]),
    'unsafe-archive',
  ],
  ['overlapping files', overlapping(), 'unsafe-archive'],
  [
    'a smaller size than it has',
    zip([zipPage, { name: 'a', content: 'abcdef', size: 3 }]),
    'integrity',
  ],
  [
    'a larger size than it has',
    zip([zipPage, { name: 'a', content: 'abcdef', size: 30 }]),
    'integrity',
  ],
  ['a wrong CRC', zip([zipPage, { name: 'a', content: 'abcdef', crc: 1 }]), 'integrity'],
  [
    'a wrong CRC, stored',
    zip([zipPage, { name: 'a', content: 'abcdef', crc: 1, method: 0 }]),
    'integrity',
  ],
  [
    'a broken deflate stream',
    zip([zipPage, { name: 'a', size: 6, packed: Buffer.from('zzzzzz') }]),
    'integrity',
  ],
  ['something behind a deflate stream', zip([zipPage, trailing()]), 'integrity'],
  ['an encrypted file', zip([zipPage, { name: 'a', flags: 1 }]), 'unsafe-archive'],
  ['strong encryption', zip([zipPage, { name: 'a', flags: 0x41 }]), 'unsafe-archive'],
  ['method 99', zip([zipPage, { name: 'a', content: 'x', method: 99 }]), 'unsafe-archive'],
  [
    'a control character in the code page of old names',
    zip([zipPage, { name: 'a\n5', flags: 0 }]),
    'unsafe-archive',
  ],
  ['a version that does not exist', laterVersion(), 'unsafe-archive'],
  ['several disks', zip([zipPage], { disk: 1 }), 'unsafe-archive'],
  ['numbers in a large end record that is missing', wideOnly(Buffer.alloc(0)), 'unsafe-archive'],
  ['too many entries announced', zip([zipPage], { entries: 2 }), 'unsafe-archive'],
  ['too few entries announced', zip([zipPage, { name: 'a' }], { entries: 1 }), 'unsafe-archive'],
  ['something before it', zip([zipPage], { before: Buffer.from('#!/bin/sh\n') }), 'protocol'],
  ['a hidden file before it', Buffer.concat([local, local]), 'unsafe-archive'],
  [
    'something between files and directory',
    zip([zipPage], { between: Buffer.from('hidden') }),
    'unsafe-archive',
  ],
  ['something behind it', zip([zipPage], { after: Buffer.from('tail') }), 'unsafe-archive'],
  [
    'a second end in its comment',
    zip([zipPage], { comment: local.subarray(local.length - 22) }),
    'unsafe-archive',
  ],
  ['a cut end', local.subarray(0, local.length - 5), 'integrity'],
  ['a directory that is elsewhere', zip([zipPage], { directoryShift: -3 }), 'unsafe-archive'],
  ['a lying large end record', zip([zipPage], { wideEnd: wideEnd() }), 'unsafe-archive'],
  [
    'a folder with content',
    zip([zipPage, { name: 'd/', content: 'x', mode: 0o040755 }]),
    'unsafe-archive',
  ],
  ['a folder mode on a file', zip([zipPage, { name: 'd', mode: 0o040755 }]), 'unsafe-archive'],
  [
    'a descriptor that is not there',
    zip([zipPage, { name: 'a', content: 'x', flags: 0x808 }]),
    'unsafe-archive',
  ],
  [
    'a file of another archive in its comment',
    zip([zipPage], { comment: local.subarray(0, 60) }),
    'unsafe-archive',
  ],
  [
    'a second name in Unicode',
    zip([zipPage, withUnicodeName('safe.html', 'other.html')]),
    'unsafe-archive',
  ],
  [
    'the same name once more in Unicode',
    zip([zipPage, withUnicodeName('safe.html', 'safe.html')]),
    'ok',
  ],
  [
    'a second name in Unicode in the local header alone',
    zip([
      zipPage,
      {
        name: 'a.html',
        content: 'x',
        extra: Buffer.alloc(0),
        localExtra: unicodePath('a.html', 'b.html'),
      },
    ]),
    'unsafe-archive',
  ],
  [
    'a second name in Unicode whose checksum is wrong',
    zip([zipPage, { name: 'a.html', content: 'x', extra: unicodePath('x.html', 'b.html') }]),
    'unsafe-archive',
  ],
  [
    'a name in UTF-8 that is not marked as such',
    zip([zipPage, { name: 'caf\u00e9.html', flags: 0 }]),
    'unsafe-archive',
  ],
  [
    'a name in UTF-8 that only an extra field marks as such',
    zip([zipPage, { name: 'caf\u00e9.html', flags: 0, extra: unicodePath('caf\u00e9.html') }]),
    'unsafe-archive',
  ],
  ['smaller sizes in 64 bits', zip([zipPage, withWideSizes({ size: 3 })]), 'unsafe-archive'],
  [
    'smaller packed sizes in 64 bits',
    zip([zipPage, withWideSizes({ packed: 3 })]),
    'unsafe-archive',
  ],
  [
    'smaller sizes in 64 bits that nothing points to',
    zip([
      zipPage,
      {
        name: 'a',
        content: 'abcdef',
        method: 0,
        extra: Buffer.alloc(0),
        localExtra: wideSizes(3, 3),
      },
    ]),
    'unsafe-archive',
  ],
  [
    'sizes that are nowhere',
    zip([
      zipPage,
      { name: 'a', content: 'abc', localSize: 0xffffffff, localPackedSize: 0xffffffff },
    ]),
    'unsafe-archive',
  ],
  [
    'an extra field that is longer than all of them',
    zip([zipPage, { name: 'a', extra: Buffer.alloc(0), localExtra: Buffer.from([1, 0, 9, 0, 0]) }]),
    'unsafe-archive',
  ],
  [
    'a stored file with a descriptor inside',
    zip([streamed({ name: 'a', method: 0, content: shortened('abc') }, 32), zipPage]),
    'unsafe-archive',
  ],
  [
    'a stored file with a descriptor at the seam of two pieces',
    zip([
      streamed(
        {
          name: 'a',
          method: 0,
          content: `${'\u0000'.repeat(256 * 1024 * 3 - 2)}PK\x07\x08 ${'x'.repeat(9)}`,
        },
        32,
      ),
      zipPage,
    ]),
    'unsafe-archive',
  ],
  [
    'a stored file from a pipe without a signature behind it',
    zip([streamed({ name: 'a', method: 0, content: 'x' }, 32, false), zipPage]),
    'unsafe-archive',
  ],
  ['the same sizes in 64 bits', zip([zipPage, withWideSizes({})]), 'ok'],
  ...([32, 64] as const).flatMap((bits): (readonly [string, Buffer, 'ok'])[] => [
    [
      `files from a pipe, with ${bits} bits`,
      zip(STREAMED.map((member) => streamed(member, bits))),
      'ok',
    ],
    [
      `files from a pipe, with ${bits} bits and no signature`,
      zip(
        STREAMED.filter(({ method }) => method !== 0).map((member) =>
          streamed(member, bits, false),
        ),
      ),
      'ok',
    ],
    [
      `an empty file at the end, from a pipe, with ${bits} bits`,
      zip([zipPage, streamed({ name: 'a' }, bits)]),
      'ok',
    ],
  ]),
  ['a comment', zip([zipPage], { comment: Buffer.from('made by hand') }), 'ok'],
  ['stored files', zip([{ ...zipPage, method: 0 }]), 'ok'],
  [
    'a zip inside, stored last',
    zip([zipPage, { name: 'inner.zip', content: local, method: 0 }]),
    'ok',
  ],
];

// A second file that begins inside the first one's data: read one by one, both unpack.
function overlapping(): Buffer {
  const inner = zip([{ name: 'b', content: 'inner' }]);
  const innerLocal = inner.subarray(0, inner.readUInt32LE(inner.length - 6));
  const outer: ZipMember = { name: 'a', content: innerLocal, method: 0 };
  return zip([
    zipPage,
    outer,
    { name: 'b', content: 'inner', at: zip([zipPage]).indexOf('PK\x01\x02') + 30 + 1 },
  ]);
}

/** APPNOTE.TXT 6.3, section 4.6.9: some programs use the second name. */
function withUnicodeName(name: string, second: string): ZipMember {
  return { name, content: 'x', extra: unicodePath(name, second) };
}

function withWideSizes({ size = 6, packed = 6 }): ZipMember {
  const narrow = { localSize: 0xffffffff, localPackedSize: 0xffffffff };
  return {
    name: 'a',
    content: 'abcdef',
    method: 0,
    extra: Buffer.alloc(0),
    localExtra: wideSizes(size, packed),
    ...narrow,
  };
}

/** A content that is complete to a reader that stops at the first descriptor that fits. */
function shortened(text: string): Buffer {
  const { descriptor = Buffer.alloc(0) } = streamed({ name: 'a', method: 0, content: text }, 32);
  return Buffer.concat([Buffer.from(text), descriptor, Buffer.from('the rest')]);
}

function laterVersion(): Buffer {
  const copy = zip([zipPage, { name: 'a', content: 'x' }]);
  copy[copy.indexOf('PK\x01\x02') + 6] = 65;
  return copy;
}

function trailing(): ZipMember {
  return {
    name: 'a',
    content: 'abcdef',
    packed: Buffer.concat([deflateRawSync('abcdef'), Buffer.from('tail')]),
  };
}

function wideEnd(): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(1n, 24);
  record.writeBigUInt64LE(1n, 32);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeUInt32LE(1, 72);
  return record;
}

/** `local` with 0xff for every number of its small end record, as Python's stream-zip writes it. */
function wideOnly(record = wideEnd()): Buffer {
  const end = local.length - 22;
  if (record.length > 0) {
    record.writeBigUInt64LE(BigInt(local.readUInt32LE(end + 12)), 40);
    record.writeBigUInt64LE(BigInt(local.readUInt32LE(end + 16)), 48);
    record.writeBigUInt64LE(BigInt(end), 64);
  }
  const numbers = Buffer.alloc(16, 0xff);
  const signature = local.subarray(end, end + 4);
  return Buffer.concat([local.subarray(0, end), record, signature, numbers, Buffer.alloc(2)]);
}

const good: readonly Row[] = [
  ['a zip whose numbers are all in the large end record', wideOnly(), 'ok'],
  [
    'the times that the tar of npm writes behind a prefix',
    tarGz([
      { ...page, prefix: withTimes('') },
      { name: 'other.html', content: 'x', prefix: withTimes('guide') },
    ]),
    'ok',
  ],
  ['a plain tar.gz', GOOD, 'ok'],
  ['a plain tar', tar([page]), 'ok'],
  [
    'a tar with names behind ./',
    tarGz([
      { name: './', type: '5' },
      { name: './index.html', content: 'x' },
    ]),
    'ok',
  ],
  ['a tar from before POSIX', tarGz([{ ...page, magic: '', type: '\0' }]), 'ok'],
  [
    'modes of every kind',
    tarGz([
      { ...page, mode: '0006777\0' },
      { name: 'run.command', content: 'x', mode: '0000755\0' },
      { name: 'd/', type: '5', mode: '0000000\0' },
      { name: 'e', mode: '0000000\0' },
    ]),
    'ok',
  ],
  [
    'names of many alphabets',
    tarGz([page, { name: '\u65e5\u672c/\u00e9.html' }, { name: 'a b/(c) [d].html' }]),
    'ok',
  ],
];

export const SPECIMENS: readonly Specimen[] = [
  ...names,
  ...tarKinds,
  ...[
    ...extended,
    ...broken,
    ...ZIPS.map(([name, ...rest]): Row => [`zip with ${name}`, ...rest]),
    ...good,
  ].map(([name, archive, outcome]) => ({ name, archive, outcome })),
];
