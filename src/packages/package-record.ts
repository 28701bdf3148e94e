/** The record of an installed package, and the ids of its assets. */

import { uuidV3 } from "../base/uuid.ts"
import type { PackageMetadata } from "../model/records/package-metadata.ts"
import type { NotificationAction } from "../model/records/policy.ts"

/** A document of `configurationKind`. */
export interface ConfigurationDocument {
  /** Dotted. */
  readonly packageId: string
  /** Its position among those of its package; later ones take precedence. */
  readonly position: number
  /**
   * The file's value as JSON text. A text is passed between threads and stored in a tenth of the
   * time of its value: 300 values blocked the shard for 70 ms.
   */
  readonly configuration: string
}

export interface AssetRecord {
  readonly id: string
  /** Its path in the archive. */
  readonly file: string
}

/** Has the package's values of the fields that users may change. */
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

/** Equal for every version and installation of a package in one account (spec/names §3). */
export function packageUuid(tenantUuid: string, packageId: string): string {
  return uuidV3(tenantUuid, `package\0${packageId}`)
}

/** Equal for every version of a package with a file at this path. */
export function assetUuid(packageId: string, file: string): string {
  return uuidV3(packageId, file)
}
