/** What is kept of an installed package, and the ids of what it brought. */

import { uuidV3 } from "../base/uuid.ts"
import type { PackageMetadata } from "../model/records/package-metadata.ts"
import type { NotificationAction } from "../model/records/policy.ts"

/** What lies under an id of `configurationKind`. */
export interface ConfigurationDocument {
  /** Dotted. */
  readonly packageId: string
  /** Its place among those of its package; later ones win. */
  readonly position: number
  /**
   * The file's value as JSON. A text goes between threads and into the store in a tenth of the time
   * of what it says: 300 of them as values held the shard for 70 ms.
   */
  readonly configuration: string
}

export interface AssetRecord {
  readonly id: string
  /** Its name in the archive. */
  readonly file: string
}

/** With what a person may have changed since, as the package brought it. */
export interface PolicyRecord extends AssetRecord {
  readonly enabled: boolean
  readonly notifications: readonly NotificationAction[]
}

export interface PackageRecord extends PackageMetadata {
  readonly downloadUrl: string | null
  readonly userEmail: string | null
  readonly policies: readonly PolicyRecord[]
  readonly analyticConfigurations: readonly AssetRecord[]
  readonly dashboards: readonly AssetRecord[]
}

/** The same for every version and installation of a package in one account (spec/names §3). */
export function packageUuid(tenantUuid: string, packageId: string): string {
  return uuidV3(tenantUuid, `package\0${packageId}`)
}

/** The same for every version of a package that has a file of this name. */
export function assetUuid(packageId: string, file: string): string {
  return uuidV3(packageId, file)
}
