/** The manifest of a package: its name, author and files. */

import type { PackageMetadata } from "../model/records/package-metadata.ts"
import { readRecord } from "../wire/records/fields.ts"
import { packageManifestBody } from "../wire/records/package-manifest-body.ts"

export const packageManifestFile = "package.json"
export const readmeFile = "README.md"

/** Kinds of assets: names of the manifest's lists and of the folders. */
export const assetKinds = ["policies", "analyticConfigurations", "dashboards"] as const
export type AssetKind = (typeof assetKinds)[number]

export interface PackageManifest extends PackageMetadata {
  readonly download: string | null
  /** `TYPE:Collector` of the integrations whose first data installs a bundled package. */
  readonly compatibility: readonly string[]
  /** Paths of files by kind, in the order of their application. */
  readonly files: Readonly<Record<AssetKind, readonly string[]>>
}

/** Parses the value of a `package.json`; throws `invalid` with all its problems. */
export function readPackageManifest(raw: unknown): PackageManifest {
  const { id, version, manifest, ...lists } = readRecord(packageManifestBody, raw, "ignored")
  const files = (kind: AssetKind) => lists[kind].map(({ data }) => data.file.replace(/^\.\//, ""))
  return {
    packageId: id,
    version,
    name: manifest.name || id,
    description: manifest.description,
    authorName: manifest.author?.name ?? null,
    authorEmail: manifest.author?.email ?? null,
    logo: manifest.distro?.logo ?? null,
    download: manifest.distro?.download ?? null,
    compatibility: manifest.compatibility,
    tags: manifest.tags,
    files: {
      policies: files("policies"),
      analyticConfigurations: files("analyticConfigurations"),
      dashboards: files("dashboards"),
    },
  }
}
