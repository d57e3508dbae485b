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
  const put = (value: string | Buffer, at: number, length: number) =>
    Buffer.from(value).copy(block, at, 0, length);
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
  return Buffer.concat([
    ...members.map((member) => (Buffer.isBuffer(member) ? member : tarMember(member))),
    end,
  ]);
}

export function tarGz(members: readonly (TarMember | Buffer)[]): Buffer {
  return gzipSync(tar(members));
}

/** An extended header with the given records; `raw` instead of records for broken ones. */
export function pax(records: Readonly<Record<string, string>> | Buffer, type = 'x'): Buffer {
  const content = Buffer.isBuffer(records)
    ? records
    : Buffer.concat(
        Object.entries(records).map(([key, value]) => paxRecord(key, Buffer.from(value))),
      );
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
  readonly extra?: Buffer;
  /** Of the local header alone, as the next two. */
  readonly localExtra?: Buffer;
  readonly localPackedSize?: number;
  readonly localCrc?: number;
  /** The member's position according to the directory, instead of its real one. */
  readonly at?: number;
  readonly descriptor?: Buffer;
  readonly disk?: number;
}

interface ZipShape {
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
  const localExtra = member.localExtra ?? extra;
  const crc = member.crc ?? crc32(content);
  const packedSize = member.packedSize ?? packed.length;
  const size = member.size ?? content.length;
  const flags = member.flags ?? 0x800;
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(member.localMethod ?? method, 8);
  local.writeUInt32LE(member.localCrc ?? crc, 14);
  local.writeUInt32LE(member.localPackedSize ?? packedSize, 18);
  local.writeUInt32LE(member.localSize ?? size, 22);
  local.writeUInt16LE(localName.length, 26);
  local.writeUInt16LE(localExtra.length, 28);
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
    local: Buffer.concat([
      local,
      localName,
      localExtra,
      packed,
      member.descriptor ?? Buffer.alloc(0),
    ]),
    central: Buffer.concat([central, name, extra]),
  };
}

/** An extra field of a zip. */
function extraField(id: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** The extra field with sizes in 64 bits. */
export function wideSizes(size: number, packedSize: number): Buffer {
  const content = Buffer.alloc(16);
  content.writeBigUInt64LE(BigInt(size), 0);
  content.writeBigUInt64LE(BigInt(packedSize), 8);
  return extraField(1, content);
}

/**
 * The extra field with a name in UTF-8, as Info-ZIP writes it: `second` for the header with `name`.
 */
export function unicodePath(name: string | Buffer, second: string | Buffer = name): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(crc32(name), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(second)]));
}

/** A member as programs write it to a pipe: its numbers follow its data, in 32 or 64 bits. */
export function streamed(member: ZipMember, bits: 32 | 64, hasSignature = true): ZipMember {
  const content = Buffer.from(member.content ?? '');
  const packed = member.method === 0 ? content : deflateRawSync(content);
  const signature = hasSignature ? [0x50, 0x4b, 7, 8] : [];
  const numbers = Buffer.alloc(4 + bits / 4);
  numbers.writeUInt32LE(crc32(content), 0);
  for (const [index, value] of [packed.length, content.length].entries()) {
    if (bits === 64) numbers.writeBigUInt64LE(BigInt(value), 4 + index * 8);
    else numbers.writeUInt32LE(value, 4 + index * 4);
  }
  const wide =
    bits === 64
      ? { localExtra: wideSizes(0, 0), localSize: 0xffffffff, localPackedSize: 0xffffffff }
      : {};
  const empty = { localCrc: 0, localSize: 0, localPackedSize: 0 };
  return {
    ...member,
    flags: 0x808,
    ...empty,
    ...wide,
    descriptor: Buffer.concat([Buffer.from(signature), numbers]),
  };
}
