/** Limits of archives and of installations per account, with reasons (spec/packages §4). */

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
  // JSON deflates to a tenth; the maximum of deflate is 1 to 1,032.
  ratioMax: 100,
}

/** Smaller files are exempt from the ratio: a row of dashes is not a bomb. */
export const ratioFloorBytes = 4096
/** Bytes of an archive as it is uploaded or downloaded. */
export const archiveBytesMax = 32 * mib
/** Archives in memory at a time, of all accounts. */
export const archivesAtOnceMax = 4
/** Bytes of one JSON file: twice a dashboard with all its widgets at their largest. */
export const jsonFileBytesMax = 2 * mib
/** Length of a path, similar to limits of file systems. */
export const entryNameCharactersMax = 512
/** Packages of one account: a list returns all of them. */
export const packagesMax = 500
/** Reported problems of one package; a file may have as many problems as lines. */
export const problemsMax = 1_000
