import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** One member of a tar, field by field, also with fields that no program would write. */
export interface TarMember {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly linkName?: string;
  readonly mode?: string;
  /** Text of the size field; the content's length when not given. */
  readonly size?: string | Buffer;
  readonly prefix?: string;
  readonly magic?: string;
  readonly checksum?: 'wrong';
}

export function tarMember(member: TarMember): Buffer {
  const content = Buffer.from(member.content ?? '');
  const block = Buffer.alloc(512);
  const put = (value: string | Buffer, at: number, length: number) => Buffer.from(value).copy(block, at, 0, length);
  put(member.name, 0, 100);
  put(member.mode ?? '0000644\0', 100, 8);
  put('0000000\0', 108, 8);
  put('0000000\0', 116, 8);
  put(member.size ?? `${content.length.toString(8).padStart(11, '0')}\0`, 124, 12);
  put('00000000000\0', 136, 12);
  put(member.type ?? '0', 156, 1);
  put(member.linkName ?? '', 157, 100);
  put(member.magic ?? 'ustar\x0000', 257, 8);
  put(member.prefix ?? '', 345, 155);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, member.checksum === 'wrong' ? 1 : 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8);
  return Buffer.concat([block, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const END = Buffer.alloc(1024);

export function tar(members: readonly (TarMember | Buffer)[], end: Buffer = END): Buffer {
  return Buffer.concat([...members.map((member) => (Buffer.isBuffer(member) ? member : tarMember(member))), end]);
}

export function tarGz(members: readonly (TarMember | Buffer)[]): Buffer {
  return gzipSync(tar(members));
}

/** An extended header with the given records; `raw` instead of records for broken ones. */
export function pax(records: Readonly<Record<string, string>> | Buffer, type = 'x'): Buffer {
  const content = Buffer.isBuffer(records)
    ? records
    : Buffer.concat(Object.entries(records).map(([key, value]) => paxRecord(key, Buffer.from(value))));
  return tarMember({ name: 'PaxHeader', type, content });
}

function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')]);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** One member of a zip; each field of its two headers can be set separately. */
export interface ZipMember {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** Unix mode in the external attributes. */
  readonly mode?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packed?: Buffer;
  readonly packedSize?: number;
  readonly localName?: string | Buffer;
  readonly localMethod?: number;
  readonly localSize?: number;
  readonly localFlags?: number;
  readonly extra?: Buffer;
  /** The member's position according to the directory, instead of its real one. */
  readonly at?: number;
  readonly descriptor?: Buffer;
  readonly disk?: number;
}

export interface ZipShape {
  readonly before?: Buffer;
  readonly between?: Buffer;
  readonly after?: Buffer;
  readonly comment?: Buffer;
  readonly entries?: number;
  readonly disk?: number;
  readonly directoryShift?: number;
  readonly wideEnd?: Buffer;
}

export function zip(members: readonly ZipMember[], shape: ZipShape = {}): Buffer {
  const locals: Buffer[] = [shape.before ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let at = locals[0]?.length ?? 0;
  for (const member of members) {
    const { local, central } = zipMember(member, at);
    locals.push(local);
    directory.push(central);
    at += local.length;
  }
  const between = shape.between ?? Buffer.alloc(0);
  const central = Buffer.concat(directory);
  const comment = shape.comment ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(shape.disk ?? 0, 4);
  end.writeUInt16LE(shape.disk ?? 0, 6);
  end.writeUInt16LE(shape.entries ?? members.length, 8);
  end.writeUInt16LE(shape.entries ?? members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at + between.length + (shape.directoryShift ?? 0), 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([
    ...locals,
    between,
    central,
    shape.wideEnd ?? Buffer.alloc(0),
    end,
    comment,
    shape.after ?? Buffer.alloc(0),
  ]);
}

function zipMember(member: ZipMember, at: number): { local: Buffer; central: Buffer } {
  const content = Buffer.from(member.content ?? '');
  const method = member.method ?? 8;
  const packed = member.packed ?? (method === 8 ? deflateRawSync(content) : content);
  const name = Buffer.from(member.name);
  const localName = Buffer.from(member.localName ?? member.name);
  const extra = member.extra ?? Buffer.alloc(0);
  const crc = member.crc ?? crc32(content);
  const packedSize = member.packedSize ?? packed.length;
  const size = member.size ?? content.length;
  const flags = member.flags ?? 0x800;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(member.localFlags ?? flags, 6);
  local.writeUInt16LE(member.localMethod ?? method, 8);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(packedSize, 18);
  local.writeUInt32LE(member.localSize ?? size, 22);
  local.writeUInt16LE(localName.length, 26);
  local.writeUInt16LE(extra.length, 28);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(0x0314, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(crc, 16);
  central.writeUInt32LE(packedSize, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt16LE(extra.length, 30);
  central.writeUInt16LE(member.disk ?? 0, 34);
  central.writeUInt32LE(((member.mode ?? 0o100644) * 65_536) >>> 0, 38);
  central.writeUInt32LE(member.at ?? at, 42);
  return {
    local: Buffer.concat([local, localName, extra, packed, member.descriptor ?? Buffer.alloc(0)]),
    central: Buffer.concat([central, name, extra]),
  };
}
