/** A single executable from a runtime and its assets, by Node's own `--build-sea`. */

import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

export interface ExecutableOptions {
  /** The Node that builds, of this machine's architecture. */
  readonly builder: string
  /** The Node that is built upon; of the same version. */
  readonly runtime: string
  /** The main script. */
  readonly main: string
  /** By the name under which the program reads them. */
  readonly assets: ReadonlyMap<string, Uint8Array>
  readonly output: string
}

export function buildExecutable(options: ExecutableOptions): void {
  const { builder, runtime, main, assets, output } = options
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-package-"))
  try {
    writeFileSync(join(folder, "start.js"), main)
    writeFileSync(join(folder, "runtime"), trimElf(readFileSync(runtime)), { mode: 0o755 })
    mkdirSync(join(folder, "assets"))
    // Relative paths, since they become part of the executable.
    const paths = [...assets].map(([name, bytes], i) => {
      writeFileSync(join(folder, "assets", String(i)), bytes)
      return [name, `assets/${i}`] as const
    })
    const config = {
      main: "start.js",
      mainFormat: "commonjs",
      executable: "runtime",
      output: resolve(output),
      disableExperimentalSEAWarning: true,
      // node:ffi, by which src/runtime/notify-socket.ts calls the C library.
      execArgv: ["--disable-warning=ExperimentalWarning"],
      // Assets have a cache of their own, and snapshots cannot hold open files.
      useCodeCache: false,
      useSnapshot: false,
      assets: Object.fromEntries(paths),
    }
    writeFileSync(join(folder, "config.json"), JSON.stringify(config))
    execFileSync(builder, ["--build-sea", "config.json"], { cwd: folder, stdio: "pipe" })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Offsets and sizes of a little-endian ELF file of 64 bits (System V ABI, "ELF Header"). */
const elf = {
  magic: 0x464c457f,
  programHeaders: 0x20,
  sectionHeaders: 0x28,
  programHeaderBytes: 0x36,
  programHeaderCount: 0x38,
  sectionHeaderBytes: 0x3a,
  sectionCount: 0x3c,
  sectionNames: 0x3e,
  segmentType: 0x00,
  segmentOffset: 0x08,
  segmentAddress: 0x10,
  segmentBytes: 0x20,
  segmentMemory: 0x28,
  segmentAlignment: 0x30,
  loaded: 1,
}

/**
 * An ELF file without what is behind its segments: symbols, debugging data and the table of
 * sections, which are there for linkers and debuggers. Nothing of it is loaded when it runs. The
 * memory of writable data is made to end with a page of the largest size it is linked for: segments
 * that are added behind it begin on pages of their own, on arm64 too, whose pages have up to 64 KiB.
 */
export function trimElf(file: Buffer): Buffer {
  if (file.readUInt32LE(0) !== elf.magic) throw new Error("Expected an ELF file")
  const start = Number(file.readBigUInt64LE(elf.programHeaders))
  const bytes = file.readUInt16LE(elf.programHeaderBytes)
  const count = file.readUInt16LE(elf.programHeaderCount)
  let end = start + count * bytes
  for (let i = 0; i < count; i++) {
    const header = start + i * bytes
    const offset = Number(file.readBigUInt64LE(header + elf.segmentOffset))
    const size = Number(file.readBigUInt64LE(header + elf.segmentBytes))
    end = Math.max(end, offset + size)
  }
  const trimmed = Buffer.from(file.subarray(0, end))
  for (let i = 0; i < count; i++) fillLastPage(trimmed, start + i * bytes)
  trimmed.writeBigUInt64LE(0n, elf.sectionHeaders)
  for (const field of [elf.sectionHeaderBytes, elf.sectionCount, elf.sectionNames]) {
    trimmed.writeUInt16LE(0, field)
  }
  return trimmed
}

/** Only for the segment of writable data, whose memory is larger than what the file has of it. */
function fillLastPage(file: Buffer, header: number): void {
  const read = (field: number): bigint => file.readBigUInt64LE(header + field)
  const memory = read(elf.segmentMemory)
  if (file.readUInt32LE(header + elf.segmentType) !== elf.loaded) return
  if (memory === read(elf.segmentBytes)) return
  const [address, page] = [read(elf.segmentAddress), read(elf.segmentAlignment)]
  const end = ((address + memory + page - 1n) / page) * page
  file.writeBigUInt64LE(end - address, header + elf.segmentMemory)
}
