/**
 * A Debian package (deb(5)): an `ar` archive of three members, made without root and without dpkg.
 *
 *   debian-binary      the version of the format
 *   control.tar.zst    name, version, dependencies, checksums, scripts of the maintainer
 *   data.tar.zst       the files, with the owners and modes that they get
 *
 * The same contents give the same bytes: files are in the order of their paths and carry one time.
 */

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { packTar, type TarEntry } from "modern-tar"
import { assert } from "../../../src/base/assert.ts"

export interface PackagedFile {
  /** From the root, without a slash at the start. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number
  /** Whether an administrator edits it: an upgrade then asks before it replaces it. */
  readonly isConfiguration?: true
}

export interface Deb {
  /** Fields of `control`, except Installed-Size. */
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly PackagedFile[]
  /** By name: postinst, prerm, postrm. */
  readonly scripts: Readonly<Record<string, string>>
}

/** 1980-01-01, the first day that every archive format has. */
const epochSeconds = 315_532_800
const mtime = new Date(epochSeconds * 1000)

/** The file; `node` is a runtime that compresses, the same whatever Node builds. */
export async function debOf({ fields, files, scripts }: Deb, node: string): Promise<Buffer> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const text = { ...fields, "Installed-Size": String(installedKib(sorted)) }
  const control: PackagedFile[] = [
    textFile("conffiles", lines(sorted.filter(isEdited).map(({ path }) => `/${path}`))),
    textFile("control", lines(Object.entries(text).map(([name, value]) => `${name}: ${value}`))),
    textFile("md5sums", lines(sorted.filter((one) => !isEdited(one)).map(sumLine))),
    ...Object.entries(scripts).map(([name, script]) => textFile(name, script, 0o755)),
  ]
  return arOf([
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.zst", compress(await tarOf(control), node)],
    ["data.tar.zst", compress(await tarOf(sorted), node)],
  ])
}

function isEdited({ isConfiguration }: PackagedFile): boolean {
  return isConfiguration === true
}

function textFile(path: string, text: string, mode = 0o644): PackagedFile {
  return { path, bytes: Buffer.from(text), mode }
}

function lines(of: readonly string[]): string {
  return of.map((line) => `${line}\n`).join("")
}

/** dpkg -V checks by MD5; nothing relies on it against an attacker. */
function sumLine({ path, bytes }: PackagedFile): string {
  return `${createHash("md5").update(bytes).digest("hex")}  ${path}`
}

function installedKib(files: readonly PackagedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0)
}

async function tarOf(files: readonly PackagedFile[]): Promise<Uint8Array> {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root", mtime }
  const folders = ["", ...foldersOf(files)].map((path): TarEntry => {
    return { header: { ...owner, name: `./${path}`, type: "directory", mode: 0o755, size: 0 } }
  })
  const entries = files.map(({ path, bytes, mode }): TarEntry => {
    const header = { ...owner, name: `./${path}`, type: "file", mode, size: bytes.length } as const
    return { header, body: bytes }
  })
  return packTar([...folders, ...entries])
}

/** `a/b/c` → `a/`, `a/b/`; each once, outer ones first. */
function foldersOf(files: readonly PackagedFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split("/").slice(0, -1)
    return parts.map((_, i) => `${parts.slice(0, i + 1).join("/")}/`)
  })
  return [...new Set(folders)].sort()
}

/**
 * Level 9 takes 5 s and makes 37 MB of the executable; 12 takes 16 s and saves 2%, 19 takes 96 s
 * and saves 13%. gzip makes 46 MB. dpkg reads zstd since Debian 12 and Ubuntu 18.04, and the executable
 * needs glibc 2.34, of Debian 12 and Ubuntu 22.04.
 */
const compressScript = `
  const { readFileSync, writeFileSync } = require("node:fs")
  const { constants, zstdCompressSync } = require("node:zlib")
  const params = { [constants.ZSTD_c_compressionLevel]: 9,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1, [constants.ZSTD_c_checksumFlag]: 1 }
  writeFileSync(1, zstdCompressSync(readFileSync(0), { params }))
`
const compressedBytesMax = 1024 ** 3

function compress(bytes: Uint8Array, node: string): Buffer {
  return execFileSync(node, ["-e", compressScript], {
    input: bytes,
    maxBuffer: compressedBytesMax,
  })
}

/** Fields of a member's header in `ar`'s common form: name, time, owner, group, mode, size. */
const arWidths = [16, 12, 6, 6, 8, 10] as const

function arOf(members: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = members.flatMap(([name, bytes]) => {
    const values = [name, String(epochSeconds), "0", "0", "100644", String(bytes.length)]
    const fields = values.map((value, i) => {
      assert(value.length <= arWidths[i]!, `Expected ${value} to fit a field of ar`)
      return value.padEnd(arWidths[i]!)
    })
    const padding = bytes.length % 2 === 0 ? "" : "\n"
    return [Buffer.from(`${fields.join("")}\`\n`), bytes, Buffer.from(padding)]
  })
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts])
}
