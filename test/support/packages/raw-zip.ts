/** Archives byte by byte, with any false declaration that a test needs. */

import { crc32, deflateRawSync } from "node:zlib"

export interface RawEntry {
  readonly name: string | Buffer
  readonly content?: Uint8Array | string
  readonly method?: number
  readonly flags?: number
  /** Declared values of the directory that differ from the true ones. */
  readonly declared?: { readonly size?: number; readonly packed?: number; readonly crc?: number }
  readonly attributes?: number
  /** Bytes of another entry: the offset of its header in place of one of its own. */
  readonly at?: number
}

interface RawOptions {
  /** Entries that the end of the directory claims. */
  readonly count?: number
}

/** An archive with these entries in order, deflated unless another method is named. */
export function rawZip(entries: readonly RawEntry[], { count }: RawOptions = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, header } = entryBytes(entry, entry.at ?? offset)
    directory.push(header)
    if (entry.at !== undefined) continue
    bodies.push(local)
    offset += local.length
  }
  const middle = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count ?? entries.length, 8)
  end.writeUInt16LE(count ?? entries.length, 10)
  end.writeUInt32LE(middle.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, middle, end])
}

function entryBytes(entry: RawEntry, offset: number): { local: Buffer; header: Buffer } {
  const { content = "", method = 8, flags = 0x800, declared = {}, attributes = 0 } = entry
  const plain = Buffer.from(content as string)
  const packed = method === 8 ? deflateRawSync(plain) : plain
  const name = Buffer.from(entry.name as string)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(flags, 2)
  common.writeUInt16LE(method, 4)
  common.writeUInt32LE(declared.crc ?? crc32(plain), 10)
  common.writeUInt32LE(declared.packed ?? packed.length, 14)
  common.writeUInt32LE(declared.size ?? plain.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([signature(0x04034b50), common, name, packed])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(attributes, 6)
  tail.writeUInt32LE(offset, 10)
  const version = Buffer.from([20, 3])
  return { local, header: Buffer.concat([signature(0x02014b50), version, common, tail, name]) }
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value, 0)
  return bytes
}

/**
 * An archive that claims `count` entries, each with a record in the directory (46 bytes and its
 * name), in the ZIP64 form that such a count needs.
 */
export function manyEntries(count: number): Buffer {
  const one = rawZip([{ name: "0000000", method: 0 }])
  const local = one.subarray(0, 37)
  const header = one.subarray(37, 37 + 53)
  const directory = Buffer.alloc(count * header.length)
  for (let i = 0; i < count; i++) {
    header.copy(directory, i * header.length)
    directory.write(String(i).padStart(7, "0"), i * header.length + 46, "latin1")
  }
  const long = Buffer.alloc(56)
  long.writeUInt32LE(0x06064b50, 0)
  long.writeBigUInt64LE(44n, 4)
  for (const at of [24, 32]) long.writeBigUInt64LE(BigInt(count), at)
  long.writeBigUInt64LE(BigInt(directory.length), 40)
  long.writeBigUInt64LE(BigInt(local.length), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(local.length + directory.length), 8)
  locator.writeUInt32LE(1, 16)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(0xffff, 8)
  end.writeUInt16LE(0xffff, 10)
  end.writeUInt32LE(0xffffffff, 12)
  end.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([local, directory, long, locator, end])
}
