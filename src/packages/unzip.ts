/**
 * Reads archives; the only module that uses `yauzl`.
 *
 * `jszip`, which writes archives here (zip.ts), is unsuitable for reading: its `loadAsync` reads
 * the whole directory into objects before anything can be counted, silently drops `..` from names,
 * and lets the later of two entries with one name win; it exposes neither offsets, so overlapping
 * entries cannot be detected, nor declared sizes before it inflates. `yauzl` reads the directory
 * entry by entry, and each file as a stream that fails at the first byte over its declared size.
 *
 * The directory is validated first. Then every entry is inflated, needed or not, while its bytes
 * are counted and its checksum is verified: an archive with false declarations is rejected as a
 * whole.
 */

import { crc32 } from "node:zlib"
import yauzl, { type Entry, type ZipFile } from "yauzl"
import { invalid, ServiceError } from "../base/errors.ts"
import { pushAll } from "../base/iterables.ts"
import { shown } from "../wire/problems.ts"
import { collisionKey, entryNameProblem } from "./archive-paths.ts"
import { archiveLimits, ratioFloorBytes, type ArchiveLimits } from "./limits.ts"

/** Files by path, with `/` between folders; folders have no entries. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>

interface NamedEntry {
  readonly name: string
  readonly entry: Entry
}

/** All files of an archive. Throws `invalid` with one sentence per problem. */
export async function unzip(bytes: Uint8Array, limits = archiveLimits): Promise<ArchiveFiles> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // Names are decoded here, so that all bad ones are reported and not only the first.
    const zip = await yauzl.fromBufferPromise(buffer, { decodeStrings: false })
    const entries = await readDirectory(zip, limits)
    await rejectOverlaps(zip, entries)
    const files = new Map<string, Uint8Array>()
    for (const one of entries) {
      if (!one.name.endsWith("/")) files.set(one.name, await readEntry(zip, one))
    }
    return files
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw invalidArchive((cause as Error).message, cause)
  }
}

async function readDirectory(zip: ZipFile, limits: ArchiveLimits): Promise<NamedEntry[]> {
  const { entriesMax, inflatedBytesMax } = limits
  if (zip.entryCount > entriesMax) {
    throw invalid(`archive: expected at most ${entriesMax} entries, got ${zip.entryCount}`)
  }
  const entries: NamedEntry[] = []
  const problems: string[] = []
  const keys = new Map<string, string>()
  let inflatedBytes = 0
  for await (const entry of zip.eachEntry()) {
    const named = { name: nameOf(entry), entry }
    pushAll(problems, entryProblems(named, limits))
    pushAll(problems, collisions(named.name, keys))
    inflatedBytes += entry.uncompressedSize
    entries.push(named)
  }
  if (inflatedBytes > inflatedBytesMax) {
    problems.push(
      `archive: expected at most ${inflatedBytesMax} bytes when inflated, got ${inflatedBytes}`,
    )
  }
  if (problems.length > 0) throw invalid(problems)
  return entries
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
}

function collisions(name: string, keys: Map<string, string>): string[] {
  const key = collisionKey(name)
  const other = keys.get(key)
  keys.set(key, name)
  if (other === undefined) return []
  return [`${shown(name)}: expected names that differ by more than case, got ${shown(other)} too`]
}

function entryProblems({ name, entry }: NamedEntry, limits: ArchiveLimits): string[] {
  const nameProblem = entryNameProblem(name)
  const problems = contentProblems(entry, limits).map((problem) => `${shown(name)}: ${problem}`)
  return nameProblem === null ? problems : [nameProblem, ...problems]
}

/** Unix file types in the upper half of an entry's attributes. */
const typeMask = 0xf000
const plainTypes = [0, 0x4000, 0x8000]
const methods = [0, 8]

function* contentProblemsOf(
  entry: Entry,
  { entryBytesMax, ratioMax }: ArchiveLimits,
): Generator<string> {
  const { uncompressedSize, compressedSize, compressionMethod } = entry
  if (entry.isEncrypted()) yield "expected no encryption"
  if (!plainTypes.includes((entry.externalFileAttributes >>> 16) & typeMask)) {
    yield "expected a plain file or a folder, got a link or a device"
  }
  if (!methods.includes(compressionMethod)) {
    yield `expected it stored or deflated, got compression method ${compressionMethod}`
  }
  if (uncompressedSize > entryBytesMax) {
    yield `expected at most ${entryBytesMax} bytes, got ${uncompressedSize}`
  }
  const isDense = uncompressedSize > ratioFloorBytes && uncompressedSize > ratioMax * compressedSize
  if (isDense) yield `expected at most ${ratioMax} bytes from one, got a higher ratio`
}

function contentProblems(entry: Entry, limits: ArchiveLimits): string[] {
  return [...contentProblemsOf(entry, limits)]
}

/** Rejects entries with overlapping bytes, by which one bomb could be inflated many times. */
async function rejectOverlaps(zip: ZipFile, entries: readonly NamedEntry[]): Promise<void> {
  const ranges: { name: string; start: number; end: number }[] = []
  for (const { name, entry } of entries) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    const start = entry.relativeOffsetOfLocalHeader
    ranges.push({ name, start, end: fileDataStart + entry.compressedSize })
  }
  ranges.sort((one, other) => one.start - other.start)
  const at = ranges.findIndex(({ end }, i) => end > (ranges[i + 1]?.start ?? Infinity))
  if (at < 0) return
  const [one, other] = [ranges[at]!.name, ranges[at + 1]!.name]
  throw invalid(`${shown(other)}: expected bytes of its own, it overlaps with ${shown(one)}`)
}

/** Inflates an entry. The stream fails at the first byte over the declared size. */
async function readEntry(zip: ZipFile, { name, entry }: NamedEntry): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream) chunks.push(chunk as Buffer)
  } catch (cause) {
    throw invalidArchive(`${shown(name)}: ${(cause as Error).message}`, cause)
  }
  const content = Buffer.concat(chunks)
  if (crc32(content) !== entry.crc32) throw invalid(`${shown(name)}: its checksum does not fit`)
  return content
}

function invalidArchive(message: string, cause: unknown): ServiceError {
  return new ServiceError("invalid", `archive: expected a whole ZIP archive: ${message}`, { cause })
}
