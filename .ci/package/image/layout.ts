/** OCI image layout: blobs by their hashes, manifests, an index (OCI image specification 1.1). */

import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { packTar } from "modern-tar"
import type { Architecture } from "../carried.ts"

const oci = "application/vnd.oci.image"
export const mediaTypes = {
  index: `${oci}.index.v1+json`,
  manifest: `${oci}.manifest.v1+json`,
  config: `${oci}.config.v1+json`,
  layer: `${oci}.layer.v1.tar+gzip`,
} as const

export interface Descriptor {
  readonly mediaType: string
  /** `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly platform?: Platform
  readonly annotations?: Readonly<Record<string, string>>
}

export interface Platform {
  readonly architecture: string
  readonly os: string
  readonly variant?: string
}

export interface Blob {
  readonly descriptor: Descriptor
  readonly bytes: Uint8Array
}

export interface Layer extends Blob {
  /** Digest before compression. */
  readonly diffId: string
  /** What made it. */
  readonly createdBy: string
}

/** The image of one architecture. */
export interface PlatformImage {
  readonly architecture: Architecture
  readonly manifest: Blob
  /** The config first, then the layers. */
  readonly parts: readonly Blob[]
}

export const platforms: Readonly<Record<Architecture, Platform>> = {
  x64: { architecture: "amd64", os: "linux" },
  arm64: { architecture: "arm64", os: "linux", variant: "v8" },
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`
}

export function blobOf(mediaType: string, bytes: Uint8Array): Blob {
  return { descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length }, bytes }
}

function jsonBlob(mediaType: string, value: object): Blob {
  return blobOf(mediaType, Buffer.from(JSON.stringify(value)))
}

export interface ImageDescription {
  /** What runs and how, as `config` of the image's config. */
  readonly run: object
  /** Names of `org.opencontainers.image.…`. */
  readonly annotations: Readonly<Record<string, string>>
  /** ISO 8601. */
  readonly created: string
}

export function imageOf(
  architecture: Architecture,
  layers: readonly Layer[],
  { run, annotations, created }: ImageDescription,
): PlatformImage {
  const config = jsonBlob(mediaTypes.config, {
    created,
    ...platforms[architecture],
    config: run,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ createdBy }) => ({ created, created_by: createdBy })),
  })
  const manifest = jsonBlob(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: layers.map(({ descriptor }) => descriptor),
    annotations,
  })
  return { architecture, manifest, parts: [config, ...layers] }
}

type Files = ReadonlyMap<string, Uint8Array>

/** Files of a layout with the images of all architectures behind one index, under a name. */
export function layoutOf(
  images: readonly PlatformImage[],
  name: string,
  { annotations }: ImageDescription,
): Files {
  const index = jsonBlob(mediaTypes.index, {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: images.map(platformDescriptor),
    annotations,
  })
  const blobs = images.flatMap(({ manifest, parts }) => [manifest, ...parts])
  return filesOf([index, ...blobs], named(index.descriptor, name))
}

/**
 * Files of a layout with one image. Docker without containerd's image store reads `manifest.json`
 * instead of the index, as `docker save` writes it.
 */
export function archiveFilesOf(image: PlatformImage, name: string): Files {
  const [config, ...layers] = image.parts.map(({ descriptor }) => blobPath(descriptor.digest))
  const legacy = [{ Config: config, RepoTags: [name], Layers: layers }]
  const files = filesOf([image.manifest, ...image.parts], named(platformDescriptor(image), name))
  return new Map([...files, ["manifest.json", Buffer.from(JSON.stringify(legacy))]])
}

function platformDescriptor({ architecture, manifest }: PlatformImage): Descriptor {
  return { ...manifest.descriptor, platform: platforms[architecture] }
}

/** By the first annotation the specification knows a tag; by the second Docker and Podman a name. */
function named(descriptor: Descriptor, name: string): Descriptor {
  const [, tag = ""] = name.split(":")
  const annotations = {
    "org.opencontainers.image.ref.name": tag,
    "io.containerd.image.name": `docker.io/library/${name}`,
  }
  return { ...descriptor, annotations }
}

function filesOf(blobs: readonly Blob[], entry: Descriptor): Files {
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [entry] }
  return new Map<string, Uint8Array>([
    ["oci-layout", Buffer.from(JSON.stringify({ imageLayoutVersion: "1.0.0" }))],
    ["index.json", Buffer.from(JSON.stringify(index))],
    ...blobs.map(({ descriptor, bytes }) => [blobPath(descriptor.digest), bytes] as const),
  ])
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`
}

/** Writes a layout as a folder, in place of what was there. */
export function writeLayout(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, "blobs/sha256"), { recursive: true })
  for (const [path, bytes] of files) writeFileSync(join(folder, path), bytes)
}

/** A layout as one tar file. */
export function archiveOf(files: Files): Promise<Uint8Array> {
  const owned = { mtime: new Date(0), uid: 0, gid: 0 }
  const folders = ["blobs/", "blobs/sha256/"].map((name) => ({
    header: { ...owned, name, type: "directory", mode: 0o755, size: 0 } as const,
  }))
  const entries = [...files].map(([name, body]) => ({
    header: { ...owned, name, type: "file", mode: 0o644, size: body.length } as const,
    body,
  }))
  return packTar([...folders, ...entries])
}

/** Reads a blob and checks it by its descriptor. */
export function readBlob(folder: string, { digest, size }: Descriptor): Buffer {
  const bytes = readFileSync(join(folder, blobPath(digest)))
  if (bytes.length !== size) throw new Error(`Expected ${size} bytes in ${digest}`)
  if (digestOf(bytes) !== digest) throw new Error(`Expected ${digest}, got ${digestOf(bytes)}`)
  return bytes
}
