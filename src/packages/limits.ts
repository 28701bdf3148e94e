/**
 * Bounds of archives and of what one account may install, each with its reason (spec/packages §4).
 */

const mib = 1024 * 1024

export interface ArchiveLimits {
  readonly entriesMax: number
  readonly inflatedBytesMax: number
  readonly entryBytesMax: number
  readonly ratioMax: number
}

/** Real community archives have 30 entries and 60 kB. */
export const archiveLimits: ArchiveLimits = {
  entriesMax: 1_000,
  inflatedBytesMax: 64 * mib,
  entryBytesMax: 8 * mib,
  // JSON deflates to a tenth, deflate itself ends at 1 to 1,032.
  ratioMax: 100,
}

/** Below this many bytes the ratio tells nothing: a row of dashes is no bomb. */
export const ratioFloorBytes = 4096
/** Bytes of an archive as it is uploaded or downloaded. */
export const archiveBytesMax = 32 * mib
/** Archives that are in memory at once, of all accounts. */
export const archivesAtOnceMax = 4
/** Bytes of one JSON file: a dashboard with all its widgets at their largest is rarely half. */
export const jsonFileBytesMax = 2 * mib
/** Names of entries, as file systems have it. */
export const entryNameCharactersMax = 512
/** Packages of one account: a list answers all of them. */
export const packagesMax = 500
/** Problems that are told of one package; a file that is wrong throughout has as many as lines. */
export const problemsMax = 1_000
