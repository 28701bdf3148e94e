/** Packages in folders: reads one within the limits of archives, and writes a new one. */

import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { invalid } from "../../base/errors.ts"
import { pushAll } from "../../base/iterables.ts"
import { formatJson } from "../../packages/format.ts"
import { archiveLimits } from "../../packages/limits.ts"
import type { ArchiveFiles } from "../../packages/unzip.ts"

/** The archive that `create` writes and that the next archive does not contain. */
export const archiveName = "pkg.zip"

/** Folders that are no part of a package, as names that begin with a dot are not. */
const skipped = ["node_modules"]

/** Reads all files of a package by name. Throws `invalid` if it is no folder or too large. */
export async function readFolder(folder: string): Promise<ArchiveFiles> {
  if (!existsSync(folder)) throw invalid(`Expected a folder with a package, got ${folder}`)
  const files = new Map<string, Uint8Array>()
  let bytes = 0
  for (const name of await namesIn(folder, "")) {
    const path = join(folder, name)
    bytes += (await stat(path)).size
    if (bytes > archiveLimits.inflatedBytesMax) {
      throw invalid(`Expected a package of at most ${archiveLimits.inflatedBytesMax} bytes`)
    }
    files.set(name, await readFile(path))
  }
  return files
}

async function namesIn(folder: string, start: string): Promise<string[]> {
  const names: string[] = []
  for (const entry of await readdir(join(folder, start), { withFileTypes: true })) {
    const isPart = !entry.name.startsWith(".") && !skipped.includes(entry.name)
    const name = start + entry.name
    if (!isPart || name === archiveName) continue
    if (entry.isFile()) names.push(name)
    else if (entry.isDirectory()) pushAll(names, await namesIn(folder, `${name}/`))
    if (names.length > archiveLimits.entriesMax) {
      throw invalid(`Expected at most ${archiveLimits.entriesMax} files in a package`)
    }
  }
  return names.sort()
}

/** Writes a new package; returns its file names. Throws `invalid` if one of them exists. */
export async function initFolder(folder: string, name: string): Promise<string[]> {
  const files = firstFiles(name)
  const there = [...files.keys()].find((file) => existsSync(join(folder, file)))
  if (there !== undefined) throw invalid(`Expected a folder without a package, got ${there} in it`)
  for (const [file, text] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  return [...files.keys()]
}

function firstFiles(name: string): Map<string, string> {
  const id = name.replace(/[^A-Za-z0-9._-]+/g, ".").replace(/^\.+|\.+$/g, "") || "my.package"
  const file = "policies/high.cpu.json"
  const condition = { analytic: "actual", level: 95, metric: "cpu.total", operator: ">" }
  const policy = {
    actions: [{ category: 2, type: "event" }],
    conditions: [condition],
    description: "The processors were busy for ten minutes.",
    duration: 600,
    enabled: true,
    name: "Processors busy",
    scope: { elementTypes: ["SERVER"] },
  }
  const manifest = {
    id,
    version: "0.1.0",
    manifest: {
      name: id,
      description: "",
      author: { name: "", email: "" },
      distro: { logo: null, download: null },
      compatibility: [],
      tags: [],
      checksum: null,
    },
    policies: [{ data: { file, encoding: "application/json", content: null } }],
    analyticConfigurations: [],
    dashboards: [],
  }
  return new Map([
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ["README.md", `# ${id}\n`],
    [file, formatJson(JSON.stringify({ policy }))],
  ])
}
