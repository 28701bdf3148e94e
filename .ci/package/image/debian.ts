/**
 * Packages of Debian by their hashes: the source of the libraries of the image. The executable
 * cannot do without them, since Node is linked with them dynamically; no package of npm carries
 * glibc of the needed version, and those of the machine that builds are not the same everywhere.
 */

import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { unpackTar } from "modern-tar"
import { rootFolder } from "../bundle.ts"

export interface DebianPackage {
  readonly name: string
  readonly version: string
  /** Debian's word: amd64, arm64 or all. */
  readonly architecture: string
  /** From the folder of a mirror. */
  readonly path: string
  readonly sha256: string
}

export interface DebianLock {
  readonly release: { readonly name: string; readonly version: string }
  readonly packages: readonly DebianPackage[]
}

/** No package can be fetched, through no fault of the lock or of the bytes. */
export class Unreachable extends Error {}

export const lockPath = join(rootFolder, ".ci/package/image/debian.json")
/** The JSON schemas of the OCI image specification, with which the tests check the image. */
export const schemaPackage = "golang-github-opencontainers-image-spec-dev"

/** What was fetched once is not fetched again. */
const cacheFolder = join(rootFolder, "build/debian")
const helper = "/usr/lib/apt/apt-helper"
const tarBytesMax = 64 * 1024 ** 2

export function readLock(): DebianLock {
  return JSON.parse(readFileSync(lockPath, "utf8")) as DebianLock
}

/** Base address of a mirror: DEBIAN_MIRROR, or that of this machine's apt. */
export function mirror(): string {
  const named = process.env["DEBIAN_MIRROR"]
  if (named) return named.replace(/\/*$/, "/")
  const argv = ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
  const found = existsSync(helper) ? execFileSync("apt-get", argv, { encoding: "utf8" }) : ""
  const own = found.split("\n").find((uri) => /\/debian\/?$/.test(uri))
  if (own === undefined) {
    throw new Unreachable("This machine's apt names no mirror of Debian: set DEBIAN_MIRROR to one")
  }
  return own.replace(/\/*$/, "/")
}

/** Fetches those that are not there yet; refuses other bytes than the lock has. */
export function fetchPackages(packages: readonly DebianPackage[]): void {
  const missing = packages.filter((one) => !isFetched(one))
  if (missing.length === 0) return
  mkdirSync(cacheFolder, { recursive: true })
  const from = mirror()
  for (const one of missing) fetchPackage(one, from)
}

function fetchPackage(one: DebianPackage, from: string): void {
  const partial = `${fileOf(one)}.partial`
  const uri = from + one.path
  rmSync(partial, { force: true })
  try {
    if (existsSync(helper)) {
      const argv = ["-o", "APT::Sandbox::User=root", "download-file", uri, partial]
      execFileSync(helper, argv, { stdio: "pipe" })
    } else {
      const argv = ["--silent", "--show-error", "--fail", "--location", "--output", partial]
      execFileSync("curl", [...argv, uri], { stdio: "pipe" })
    }
  } catch (error) {
    const advice = "if the mirror has a newer version only, run npm run package:image:lock"
    throw new Unreachable(`Debian's ${one.path} could not be fetched; ${advice}`, { cause: error })
  }
  if (sumOf(partial) !== one.sha256) throw new Error(`Expected ${one.sha256} as SHA-256 of ${uri}`)
  renameSync(partial, fileOf(one))
}

function fileOf({ path }: DebianPackage): string {
  return join(cacheFolder, basename(path))
}

function isFetched(one: DebianPackage): boolean {
  return existsSync(fileOf(one)) && sumOf(fileOf(one)) === one.sha256
}

function sumOf(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex")
}

/** An entry of a package: a file with its bytes, or a symbolic link. */
export interface DebianEntry {
  /** Without a leading "./". */
  readonly path: string
  readonly mode: number
  readonly content: { readonly bytes: Uint8Array } | { readonly target: string }
}

/** Files and links of a package; dpkg-deb knows all compressions that Debian uses. */
export async function entriesOf(one: DebianPackage): Promise<DebianEntry[]> {
  const entries = await unpackTar(dpkg("--fsys-tarfile", one))
  return entries.flatMap(({ header, data }): DebianEntry[] => {
    const [path, mode] = [header.name.replace(/^\.\//, ""), header.mode ?? 0o644]
    if (header.type === "file")
      return [{ path, mode, content: { bytes: data ?? new Uint8Array() } }]
    if (header.type === "symlink") return [{ path, mode, content: { target: header.linkname! } }]
    return []
  })
}

/** The description of a package by which scanners look for known weaknesses. */
export function controlOf(one: DebianPackage): Uint8Array {
  return dpkg("--field", one)
}

function dpkg(option: string, one: DebianPackage): Uint8Array {
  if (!isFetched(one))
    throw new Error(`Expected ${fileOf(one)}, as npm run package:image fetches it`)
  return execFileSync("dpkg-deb", [option, fileOf(one)], { maxBuffer: tarBytesMax })
}
