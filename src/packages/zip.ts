/**
 * Writes archives; the only module that uses `jszip`. Equal files give equal bytes on every
 * machine: sorted names, one date, one platform, no entries for folders.
 */

import JSZip from "jszip"

/** The earliest date of the ZIP format. */
const dateMs = Date.UTC(1980, 0, 1)

/** An archive of these files, each under its name. */
export async function zipOf(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const zip = new JSZip()
  const options = { date: new Date(dateMs), createFolders: false, binary: true }
  for (const name of [...files.keys()].sort()) zip.file(name, files.get(name)!, options)
  return zip.generateAsync({
    type: "uint8array",
    compression: "DEFLATE",
    compressionOptions: { level: 9 },
    platform: "UNIX",
  })
}
