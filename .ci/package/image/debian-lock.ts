/**
 * `npm run package:image:lock`: writes debian.json, the Debian packages of the image with their
 * hashes, from the release's index of today, whose signature apt checks. Run it when Debian mends a
 * library: a mirror keeps only the newest version of each package. Needs apt and Debian's keyring.
 */

import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lockPath, mirror, schemaPackage, type DebianLock, type DebianPackage } from "./debian.ts"

const release = { name: "trixie", version: "13" }
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
/** What the executable is linked with, and the folder of the licences of the last three. */
const libraries = ["libc6", "libatomic1", "libgcc-s1", "libstdc++6", "gcc-14-base"]

const folder = mkdtempSync(join(tmpdir(), "tidegauge-apt-"))
/** An apt of its own: its lists and its release are not those of this machine. */
const options = [
  `Dir::Etc::SourceList=${join(folder, "sources.list")}`,
  "Dir::Etc::SourceParts=/dev/null",
  `Dir::State=${folder}`,
  `Dir::State::Lists=${join(folder, "lists")}`,
  "Dir::State::Status=/dev/null",
  `Dir::Cache=${join(folder, "cache")}`,
  "APT::Architectures=amd64,arm64",
  "Acquire::Languages=none",
  "APT::Sandbox::User=root",
].flatMap((option) => ["-o", option])

function show(name: string): DebianPackage {
  const text = execFileSync("apt-cache", [...options, "show", name], { encoding: "utf8" })
  // Versions are listed from the newest.
  const fields = new Map(
    text
      .split("\n\n", 1)[0]!
      .split("\n")
      .map((line) => line.split(/:\s+(.*)/) as [string, string]),
  )
  const field = (wanted: string): string => {
    const value = fields.get(wanted)
    if (value === undefined) throw new Error(`Expected ${wanted} of ${name}`)
    return value
  }
  return {
    name: field("Package"),
    version: field("Version"),
    architecture: field("Architecture"),
    path: field("Filename"),
    sha256: field("SHA256"),
  }
}

try {
  for (const name of ["lists/partial", "cache/archives/partial"]) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const source = `deb [signed-by=${keyring}] ${mirror()} ${release.name} main\n`
  writeFileSync(join(folder, "sources.list"), source)
  execFileSync("apt-get", [...options, "--quiet", "update"], { stdio: "inherit" })
  const names = ["amd64", "arm64"].flatMap((one) => libraries.map((name) => `${name}:${one}`))
  const lock: DebianLock = { release, packages: [...names, schemaPackage].map(show) }
  writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
