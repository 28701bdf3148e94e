/**
 * The root file system of the image, as entries of two layers: what the executable needs, which
 * changes with Debian's libraries, and the executable, which changes with each version.
 */

import { execFileSync } from "node:child_process"
import type { TarHeader } from "modern-tar"
import type { Architecture } from "../carried.ts"
import { controlOf, entriesOf, readLock, type DebianEntry, type DebianPackage } from "./debian.ts"

export interface RootEntry {
  readonly header: TarHeader
  readonly body?: Uint8Array
}

/** Of the user that the program runs as; the number by which distroless images know `nonroot`. */
export const userId = 65_532
export const dataFolder = "var/lib/tidegauge"
export const programPath = "usr/bin/tidegauge"

const debianArchitecture = { x64: "amd64", arm64: "arm64" } as const

/** Libraries that the executable and LMDB's library are linked with, and those that glibc loads. */
const isNeeded =
  /^usr\/lib(?:64)?\/(?:[^/]+\/)?(?:ld-linux-[^/]+|lib(?:c|m|dl|pthread|resolv|gcc_s|stdc\+\+|atomic)\.so\.[\d.]+)$/

/** Licences: each package has its own, or a link to the folder of another one. */
const isLicence = /^usr\/share\/doc\/[^/]+(?:\/copyright)?$/

/** The same bytes, whenever it is built. */
const mtime = new Date(0)

const owned = { mtime, uid: 0, gid: 0, uname: "root", gname: "root" }

function folder(path: string, more: Partial<TarHeader> = {}): RootEntry {
  return {
    header: { ...owned, name: `${path}/`, type: "directory", mode: 0o755, size: 0, ...more },
  }
}

function link(path: string, linkname: string): RootEntry {
  return { header: { ...owned, name: path, type: "symlink", mode: 0o777, size: 0, linkname } }
}

function file(path: string, body: Uint8Array, mode = 0o644): RootEntry {
  return { header: { ...owned, name: path, type: "file", mode, size: body.length }, body }
}

function text(path: string, ...lines: string[]): RootEntry {
  return file(path, Buffer.from(`${lines.join("\n")}\n`))
}

/** The layer of the executable. */
export function programEntries(executable: Uint8Array): RootEntry[] {
  return [file(programPath, executable, 0o755)]
}

/** The layer below; `node` is the runtime that the executable has. */
export async function baseEntries(architecture: Architecture, node: string): Promise<RootEntry[]> {
  const { release, packages } = readLock()
  const own = packages.filter((one) => one.architecture === debianArchitecture[architecture])
  const libraries: RootEntry[] = []
  for (const one of own) libraries.push(...(await libraryEntries(one)))
  const entries = [
    ...["bin", "lib", "lib64"].map((name) => link(name, `usr/${name}`)),
    ...accounts(),
    text("etc/nsswitch.conf", "passwd: files", "group: files", "hosts: files dns"),
    text(
      "etc/os-release",
      `PRETTY_NAME="Tidegauge, with libraries of Debian ${release.version}"`,
      "ID=debian",
      `VERSION_ID="${release.version}"`,
      `VERSION_CODENAME=${release.name}`,
    ),
    file("etc/ssl/certs/ca-certificates.crt", rootCertificates(node)),
    ...libraries,
  ]
  return [...foldersOf(entries), ...entries].sort(byName)
}

async function libraryEntries(one: DebianPackage): Promise<RootEntry[]> {
  const wanted = (await entriesOf(one)).filter(
    ({ path }) => isNeeded.test(path) || isLicence.test(path),
  )
  // A release upgrade that moves files would otherwise leave them out without a word.
  if (wanted.length === 0) throw new Error(`Expected libraries or licences in ${one.name}`)
  const description = file(`var/lib/dpkg/status.d/${one.name}`, controlOf(one))
  return [...wanted.map(entryOf), description]
}

function entryOf({ path, mode, content }: DebianEntry): RootEntry {
  return "target" in content ? link(path, content.target) : file(path, content.bytes, mode & 0o777)
}

function accounts(): RootEntry[] {
  const none = "/nonexistent:/sbin/nologin"
  return [
    text(
      "etc/passwd",
      "root:x:0:0:root:/root:/sbin/nologin",
      `tidegauge:x:${userId}:${userId}:Tidegauge:${none}`,
      `nobody:x:65534:65534:nobody:${none}`,
    ),
    text("etc/group", "root:x:0:", `tidegauge:x:${userId}:`, "nogroup:x:65534:"),
  ]
}

/** The runtime's own store of authorities, for programs that read the system's; as PEM. */
function rootCertificates(node: string): Buffer {
  const script = `process.stdout.write(require("tls").rootCertificates.join("\\n") + "\\n")`
  return execFileSync(node, ["--eval", script], { maxBuffer: 16 * 1024 ** 2 })
}

/** All folders that the entries are in, and those that a container writes to or mounts upon. */
function foldersOf(entries: readonly RootEntry[]): RootEntry[] {
  const paths = new Set(["dev", "proc", "run", "sys", "usr/bin", "usr/lib64"])
  for (const { header } of entries) {
    const parts = header.name.split("/").slice(0, -1)
    parts.forEach((_, i) => paths.add(parts.slice(0, i + 1).join("/")))
  }
  const data = { uid: userId, gid: userId, uname: "tidegauge", gname: "tidegauge", mode: 0o700 }
  const open = { mode: 0o1777 }
  return [...[...paths].map((path) => folder(path)), folder(dataFolder, data), folder("tmp", open)]
}

/** A folder comes before its content. */
function byName({ header: a }: RootEntry, { header: b }: RootEntry): number {
  return a.name < b.name ? -1 : 1
}
