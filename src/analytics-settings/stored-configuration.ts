/** Analytic configurations in their stored form: those of packages, and bare ones. */

import type { StoredDocument } from "../model/document.ts"

/** A configuration of a package. */
interface PackageConfiguration {
  readonly packageId: string
  /** Its index among the configurations of the package. */
  readonly position: number
  /** JSON as a text, or its value as older versions stored it. */
  readonly configuration: unknown
}

export interface StoredConfiguration {
  readonly id: string
  /** JSON. */
  readonly text: string
  /** Its value; a stored text is parsed by each call. */
  json(): unknown
}

/** Sorted by precedence, later ones override: by package, then in the package's own order. */
export function inPrecedenceOrder(stored: readonly StoredDocument[]): StoredConfiguration[] {
  const keyed = stored.map(({ id, document }) => {
    if (!isPackageConfiguration(document))
      return { id, value: document, packageId: "", position: 0 }
    const { packageId, position, configuration } = document
    return { id, value: configuration, packageId, position }
  })
  keyed.sort(
    (left, right) =>
      compareTexts(left.packageId, right.packageId) ||
      left.position - right.position ||
      compareTexts(left.id, right.id),
  )
  return keyed.map(({ id, value }) => configurationOf(id, value))
}

function configurationOf(id: string, value: unknown): StoredConfiguration {
  if (typeof value !== "string") {
    return { id, text: JSON.stringify(value) ?? "null", json: () => value }
  }
  return { id, text: value, json: () => JSON.parse(value) as unknown }
}

function isPackageConfiguration(document: unknown): document is PackageConfiguration {
  return typeof document === "object" && document !== null && "packageId" in document
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
