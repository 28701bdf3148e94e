/** Memory of this process that the system can neither drop nor write back to a file. */

/**
 * Bytes of heaps, buffers and stacks, by `/proc/self/status` (proc(5)). Views of files, above all
 * of the store, are not counted: the system drops them if it needs their memory. All resident
 * memory, `residentBytes`, if there is no such file.
 */
export function unreclaimableBytes(status: string | null, residentBytes: () => number): number {
  const lines = /^RssAnon:\s+(\d+) kB[^]*^RssShmem:\s+(\d+) kB/m.exec(status ?? "")
  return lines === null ? residentBytes() : (Number(lines[1]) + Number(lines[2])) * 1024
}
