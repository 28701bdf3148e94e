/** The list of what the executable carries, as CycloneDX, from npm's own list of the lock file. */

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rootFolder } from "./bundle.ts"
import type { Architecture, Carried } from "./carried.ts"

interface Component {
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
}

interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** JSON; the same for the same lock files: without a time, a serial number and npm's version. */
export function sbomOf(carried: readonly Carried[], architecture: Architecture): string {
  const argv = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]
  const list = execFileSync("npm", argv, { cwd: rootFolder, encoding: "utf8", stdio: "pipe" })
  const bom = JSON.parse(list) as Bom
  const keys = new Set(carried.map(({ name, version }) => `${name}@${version}`))
  const packages = bom.components.filter(({ name, version }) => keys.has(`${name}@${version}`))
  const parts = partsOf(architecture)
  const components = [...packages, ...parts].sort(byRef)
  const missing = [...keys].filter(
    (key) => !components.some((one) => `${one.name}@${one.version}` === key),
  )
  if (missing.length > 0) throw new Error(`Expected in the lock file: ${missing.join(", ")}`)
  const refs = new Set(components.map((one) => one["bom-ref"]))
  const { component } = bom.metadata
  const own = component["bom-ref"]
  const dependencies = [...bom.dependencies]
    .filter(({ ref }) => ref === own || refs.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((one) => refs.has(one)),
        ...(ref === own ? refsOf(parts) : []),
      ],
    }))
  const metadata = { component: { ...component, name: "tidegauge", type: "application" } }
  const shown = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata,
    components,
    dependencies: dependencies.sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
  return `${JSON.stringify(shown, null, 2)}\n`
}

function byRef(a: Component, b: Component): number {
  return a["bom-ref"] < b["bom-ref"] ? -1 : 1
}

function refsOf(components: readonly Component[]): string[] {
  return components.map((one) => one["bom-ref"])
}

/** The runtime and the native library, from the lock file beside this module. */
function partsOf(architecture: Architecture): Component[] {
  const path = join(rootFolder, ".ci/package/package-lock.json")
  const lock = JSON.parse(readFileSync(path, "utf8")) as {
    packages: Record<string, { name: string; version: string; integrity: string; license: string }>
  }
  return [`node-${architecture}`, `lmdb-${architecture}`].map((folder) => {
    const { name, version, integrity, license } = lock.packages[`node_modules/${folder}`]!
    return {
      "bom-ref": `${name}@${version}`,
      type: folder.startsWith("node") ? "platform" : "library",
      name,
      version,
      scope: "required",
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      hashes: [{ alg: "SHA-512", content: hexOf(integrity) }],
      licenses: [{ license: { id: license } }],
    }
  })
}

function hexOf(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex")
}
