import { pipeline, Readable } from "node:stream";
import { constants, crc32, createDeflateRaw } from "node:zlib";

/** A file of an archive. Its name has slashes between folders, and its content is read once. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** What the directory at the archive's end says of a file. */
interface Member {
  name: Buffer;
  offset: number;
  crc: number;
  size: number;
  compressed: number;
}

/** Numbers from here on do not fit into the fields of 32 bits: they stand in those of ZIP64. */
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

/** Sizes and checksum follow the content; the name is in UTF-8 (APPNOTE 4.4.4, bits 3 and 11). */
const FLAGS = 0x0808;
const DEFLATED = 8;
const VERSION = 20;
const VERSION_OF_ZIP64 = 45;
/** A file of Unix that its owner may write and everybody may read. */
const MADE_BY_UNIX = 3 << 8;
const ATTRIBUTES = (0o100644 << 16) >>> 0;

const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a ZIP archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT), compressed as they are
 * read: of a content, one chunk is in memory. Only the directory grows with the number of files, by about 100 bytes
 * each. An archive that broke off has no directory, so every program says that it is damaged. `zip64From` is for tests.
 */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry>,
  { at = new Date(), zip64From = MAX_32 } = {},
): AsyncGenerator<Uint8Array> {
  const time = dosTime(at);
  const directory = new Blocks();
  let count = 0;
  let offset = 0;
  for await (const { name, content } of entries) {
    const member: Member = { name: Buffer.from(name), offset, crc: 0, size: 0, compressed: 0 };
    const head = localHeader(member, time);
    yield* leading(head, content);
    yield* deflated(content, member);
    const sums = descriptor(member, zip64From);
    yield sums;
    offset += head.byteLength + member.compressed + sums.byteLength;
    directory.add(directoryRecord(member, time, zip64From));
    count += 1;
  }
  yield* directory.all();
  yield endOf({ count, offset, length: directory.length }, zip64From);
}

/** The head of a member. A reader that leaves at it would leave the content open, which nobody has begun to read. */
async function* leading(head: Buffer, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let goesOn = false;
  try {
    yield head;
    goesOn = true;
  } finally {
    if (!goesOn) await content[Symbol.asyncIterator]().return?.();
  }
}

async function* deflated(content: AsyncIterable<Uint8Array>, member: Member): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: constants.Z_DEFAULT_COMPRESSION, chunkSize: CHUNK_BYTES });
  // Errors of the content reach whoever reads the result, and an end of reading ends the content.
  pipeline(Readable.from(summed(content, member), { highWaterMark: 1 }), deflate, () => undefined);
  for await (const chunk of deflate as AsyncIterable<Buffer>) {
    member.compressed += chunk.byteLength;
    yield chunk;
  }
}

async function* summed(content: AsyncIterable<Uint8Array>, member: Member): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    member.crc = crc32(chunk, member.crc);
    member.size += chunk.byteLength;
    yield chunk;
  }
}

/** Records one behind the other, in few objects. */
class Blocks {
  length = 0;
  readonly #full: Buffer[] = [];
  #block = Buffer.alloc(CHUNK_BYTES);
  #used = 0;

  add(record: Buffer): void {
    if (this.#used + record.byteLength > this.#block.byteLength) {
      this.#full.push(this.#block.subarray(0, this.#used));
      this.#block = Buffer.alloc(Math.max(CHUNK_BYTES, record.byteLength));
      this.#used = 0;
    }
    this.#used += record.copy(this.#block, this.#used);
    this.length += record.byteLength;
  }

  all(): Buffer[] {
    return [...this.#full, this.#block.subarray(0, this.#used)];
  }
}

interface DosTime {
  date: number;
  time: number;
}

/** A time in UTC, to two seconds (APPNOTE 4.4.6). */
function dosTime(at: Date): DosTime {
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** Numbers, the lowest byte first. */
function fields(...all: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of all) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

/** APPNOTE 4.3.7. Sizes are not known yet. */
function localHeader({ name }: Member, { date, time }: DosTime): Buffer {
  const fixed = fields(
    [4, 0x0403_4b50],
    ...([VERSION, FLAGS, DEFLATED, time, date] as const).map((value): Field => [2, value]),
    [4, 0],
    [4, 0],
    [4, 0],
    [2, name.byteLength],
    [2, 0],
  );
  return Buffer.concat([fixed, name]);
}

/** APPNOTE 4.3.9. */
function descriptor({ crc, size, compressed }: Member, zip64From: number): Buffer {
  const bytes = size >= zip64From || compressed >= zip64From ? 8 : 4;
  return fields([4, 0x0807_4b50], [4, crc], [bytes, compressed], [bytes, size]);
}

/** APPNOTE 4.3.12, with the extra field of 4.5.3 where a number is too large. */
function directoryRecord({ name, offset, crc, size, compressed }: Member, at: DosTime, zip64From: number): Buffer {
  const isLarge = Math.max(size, compressed, offset) >= zip64From;
  const extra = isLarge ? fields([2, 1], [2, 24], [8, size], [8, compressed], [8, offset]) : Buffer.alloc(0);
  const version = isLarge ? VERSION_OF_ZIP64 : VERSION;
  const fixed = fields(
    [4, 0x0201_4b50],
    ...([MADE_BY_UNIX | version, version, FLAGS, DEFLATED, at.time, at.date] as const).map((v): Field => [2, v]),
    [4, crc],
    [4, isLarge ? MAX_32 : compressed],
    [4, isLarge ? MAX_32 : size],
    [2, name.byteLength],
    [2, extra.byteLength],
    // No comment, the first disk, no internal attributes.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, ATTRIBUTES],
    [4, isLarge ? MAX_32 : offset],
  );
  return Buffer.concat([fixed, name, extra]);
}

interface Directory {
  count: number;
  offset: number;
  length: number;
}

/** APPNOTE 4.3.16, behind 4.3.14 and 4.3.15 where a number is too large. */
function endOf({ count, offset, length }: Directory, zip64From: number): Buffer {
  const isLarge = Math.max(offset, length) >= zip64From || count >= MAX_16;
  const large = fields(
    [4, 0x0606_4b50],
    [8, 44],
    [2, MADE_BY_UNIX | VERSION_OF_ZIP64],
    [2, VERSION_OF_ZIP64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, length],
    [8, offset],
    // Where that record is, on one disk.
    [4, 0x0706_4b50],
    [4, 0],
    [8, offset + length],
    [4, 1],
  );
  const end = fields(
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, isLarge ? MAX_16 : count],
    [2, isLarge ? MAX_16 : count],
    [4, isLarge ? MAX_32 : length],
    [4, isLarge ? MAX_32 : offset],
    [2, 0],
  );
  return isLarge ? Buffer.concat([large, end]) : end;
}
