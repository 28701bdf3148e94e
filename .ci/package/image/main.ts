/**
 * `npm run package:image`, after `npm run package`: the OCI image of the executables in `build/`,
 * without a container engine.
 *
 *   build/tidegauge-VERSION-linux-ARCH ──────────────┐
 *   debian.json ─► debian.ts ─► libraries ─► root.ts ─┴─► layers ─► layout.ts ─► layout, archives
 *
 * Writes `tidegauge-VERSION-image`, an OCI image layout with all architectures; and for each
 * `tidegauge-VERSION-image-ARCH.tar`, which `docker load` and `podman load` take. `--arch x64` for
 * one architecture, `--out FOLDER` for another folder. Ends with 75 if Debian cannot be reached.
 */

import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { packTar } from "modern-tar"
import { rootFolder } from "../bundle.ts"
import { partsFolder, type Architecture } from "../carried.ts"
import { fetchPackages, readLock, Unreachable } from "./debian.ts"
import {
  archiveFilesOf,
  archiveOf,
  blobOf,
  digestOf,
  imageOf,
  layoutOf,
  mediaTypes,
  writeLayout,
  type ImageDescription,
  type Layer,
} from "./layout.ts"
import { baseEntries, dataFolder, programEntries, programPath, userId } from "./root.ts"
import type { RootEntry } from "./root.ts"

/** EX_TEMPFAIL of sysexits.h. */
const exitUnreachable = 75
const secondNs = 1_000_000_000
const layerBytesMax = 1024 ** 3

const { version, license } = JSON.parse(readFileSync(join(rootFolder, "package.json"), "utf8")) as {
  version: string
  license: string
}
const { values } = parseArgs({
  options: { arch: { type: "string" }, out: { type: "string", default: "build" } },
})
const out = resolve(values.out)
const node = join(partsFolder, `node-${process.arch}`, "bin/node")

async function main(): Promise<void> {
  const all: readonly Architecture[] = ["x64", "arm64"]
  const chosen = all.filter((one) => values.arch === undefined || values.arch === one)
  if (chosen.length === 0) throw new Error(`Expected --arch ${all.join(" or ")}`)
  const missing = chosen.map(executableOf).filter((path) => !existsSync(path))
  if (missing.length > 0) throw new Error(`Run npm run package first: no ${missing.join(", ")}`)
  fetchAll()
  const description = describe()
  const images = []
  for (const one of chosen) images.push(imageOf(one, await layersOf(one), description))
  const name = `tidegauge:${version}`
  const path = join(out, `tidegauge-${version}-image`)
  writeLayout(path, layoutOf(images, name, description))
  const sums: string[] = []
  for (const image of images) {
    const archive = await archiveOf(archiveFilesOf(image, name))
    const file = `tidegauge-${version}-image-${image.architecture}.tar`
    writeFileSync(join(out, file), archive)
    sums.push(`${digestOf(archive).replace("sha256:", "")}  ${file}\n`)
  }
  writeFileSync(`${path}.sha256`, sums.join(""))
  process.stdout.write(sums.join(""))
}

function fetchAll(): void {
  try {
    fetchPackages(readLock().packages)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    process.stderr.write(`No image: ${error.message}\n`)
    process.exit(exitUnreachable)
  }
}

function executableOf(architecture: Architecture): string {
  return join(rootFolder, `build/tidegauge-${version}-linux-${architecture}`)
}

async function layersOf(architecture: Architecture): Promise<Layer[]> {
  const base = await baseEntries(architecture, node)
  const program = programEntries(readFileSync(executableOf(architecture)))
  return [
    await layerOf(base, "libraries of Debian, certificates, accounts"),
    await layerOf(program, `tidegauge ${version}`),
  ]
}

async function layerOf(entries: readonly RootEntry[], createdBy: string): Promise<Layer> {
  const tar = await packTar(entries)
  return { ...blobOf(mediaTypes.layer, gzip(tar)), diffId: digestOf(tar), createdBy }
}

/** By the runtime of the executable, since versions of zlib compress to different bytes. */
function gzip(bytes: Uint8Array): Uint8Array {
  const script = `process.stdout.write(zlib.gzipSync(fs.readFileSync(0), { level: 9 }))`
  return execFileSync(node, ["--eval", script], { input: bytes, maxBuffer: layerBytesMax })
}

function describe(): ImageDescription {
  const { created, revision } = commit()
  const annotations: Record<string, string> = {
    "org.opencontainers.image.title": "tidegauge",
    "org.opencontainers.image.description": "Self-hosted monitoring service in one process",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": `${license} AND LGPL-2.1-or-later AND GPL-3.0-or-later WITH GCC-exception-3.1`,
    ...(revision === null ? {} : { "org.opencontainers.image.revision": revision }),
  }
  const run = {
    User: `${userId}:${userId}`,
    ExposedPorts: { "8080/tcp": {} },
    Env: ["PATH=/usr/bin", "TIDEGAUGE_HOST=0.0.0.0", `TIDEGAUGE_DATA=/${dataFolder}`],
    Entrypoint: [`/${programPath}`],
    Volumes: { [`/${dataFolder}`]: {} },
    WorkingDir: "/",
    Labels: annotations,
    StopSignal: "SIGTERM",
    // Reserved by the specification for Docker, which reads it.
    Healthcheck: {
      Test: ["CMD", `/${programPath}`, "health"],
      Interval: 10 * secondNs,
      Timeout: 6 * secondNs,
      StartPeriod: 60 * secondNs,
      Retries: 3,
    },
  }
  return { run, annotations, created }
}

/** Of the checkout; the epoch and no revision without git. A change that is not committed shows. */
function commit(): { readonly created: string; readonly revision: string | null } {
  const git = (...argv: string[]): string | null => {
    const { status, stdout } = spawnSync("git", argv, { cwd: rootFolder, encoding: "utf8" })
    return status === 0 ? stdout.trim() : null
  }
  const [hash, seconds] = (git("log", "-1", "--format=%H %ct") ?? "").split(" ")
  if (!hash) return { created: isoTime(0), revision: null }
  const isChanged = git("status", "--porcelain", "--untracked-files=no") !== ""
  return { created: isoTime(Number(seconds)), revision: isChanged ? `${hash}-dirty` : hash }
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
}

await main()
