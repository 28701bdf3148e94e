/**
 * Checks an OCI image layout: each document by the JSON schemas of the specification, as Debian
 * packages them, and each blob by the digest and the size of its descriptor.
 */

import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Ajv, type AnySchemaObject } from "ajv"
import addFormats from "ajv-formats"
import { entriesOf, readLock, schemaPackage } from "./debian.ts"
import { digestOf, mediaTypes, readBlob, type Descriptor, type Platform } from "./layout.ts"

/** The parts of a config that a container runtime acts upon. */
export interface ImageConfig extends Platform {
  readonly created: string
  readonly config: {
    readonly User: string
    readonly Env: readonly string[]
    readonly Entrypoint: readonly string[]
    readonly Volumes: Readonly<Record<string, object>>
    readonly Healthcheck: { readonly Test: readonly string[] }
    readonly Labels: Readonly<Record<string, string>>
  }
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

export interface CheckedImage {
  readonly platform: Platform
  readonly config: ImageConfig
  /** Tar files, from the lowest. */
  readonly layers: readonly Buffer[]
}

interface Index {
  readonly manifests: readonly Descriptor[]
}

interface Manifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

type Check = (schema: string, bytes: Buffer) => unknown

/** All images of the layout in `folder`; throws what is wrong with it. */
export async function checkLayout(folder: string): Promise<CheckedImage[]> {
  const check = await schemaCheck()
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  check("image-layout-schema.json", read("oci-layout"))
  const index = check("image-index-schema.json", read("index.json")) as Index
  return index.manifests.flatMap((one) => imagesOf(folder, one, check))
}

function imagesOf(folder: string, descriptor: Descriptor, check: Check): CheckedImage[] {
  const bytes = readBlob(folder, descriptor)
  if (descriptor.mediaType === mediaTypes.index) {
    const { manifests } = check("image-index-schema.json", bytes) as Index
    return manifests.flatMap((one) => imagesOf(folder, one, check))
  }
  const manifest = check("image-manifest-schema.json", bytes) as Manifest
  const config = check("config-schema.json", readBlob(folder, manifest.config)) as ImageConfig
  const layers = manifest.layers.map((one) => gunzipSync(readBlob(folder, one)))
  const found = JSON.stringify(layers.map(digestOf))
  if (found !== JSON.stringify(config.rootfs.diff_ids)) {
    throw new Error(`Expected the layers ${config.rootfs.diff_ids.join()}, got ${found}`)
  }
  if (descriptor.platform === undefined) throw new Error("Expected a platform of each manifest")
  return [{ platform: descriptor.platform, config, layers }]
}

/** Parses a document and checks it by a schema of the specification. */
async function schemaCheck(): Promise<Check> {
  const one = readLock().packages.find(({ name }) => name === schemaPackage)!
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }))
  for (const { path, content } of await entriesOf(one)) {
    if (!path.includes("/schema/") || !path.endsWith(".json") || !("bytes" in content)) continue
    ajv.addSchema(asNamed(Buffer.from(content.bytes).toString()), basename(path))
  }
  return (schema, bytes) => {
    const value: unknown = JSON.parse(bytes.toString())
    if (!ajv.validate(schema, value)) throw new Error(`${schema}: ${ajv.errorsText()}`)
    return value
  }
}

/** Their references are names of files; addresses in them, of draft 4, would lead elsewhere. */
function asNamed(text: string): AnySchemaObject {
  const isAddress = (key: string, value: unknown): boolean =>
    (key === "id" || key === "$schema") && typeof value === "string"
  return JSON.parse(text, (key, value: unknown) => (isAddress(key, value) ? undefined : value))
}
