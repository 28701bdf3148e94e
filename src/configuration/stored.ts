/** Analytic configurations as they are stored: those of packages, and bare ones. */

import type { StoredDocument } from "../model/document.ts"

/** What a package keeps of one of its configurations. */
interface OfPackage {
  readonly packageId: string
  /** Its place among those of the package. */
  readonly position: number
  readonly configuration: unknown
}

export interface StoredConfiguration {
  readonly id: string
  readonly json: unknown
}

/** In the order in which they count, later ones over earlier: by package, then as it lists them. */
export function inOrder(stored: readonly StoredDocument[]): StoredConfiguration[] {
  const keyed = stored.map(({ id, document }) => {
    if (!isOfPackage(document)) return { id, json: document, packageId: "", position: 0 }
    const { packageId, position, configuration } = document
    return { id, json: configuration, packageId, position }
  })
  keyed.sort(
    (left, right) =>
      compareTexts(left.packageId, right.packageId) ||
      left.position - right.position ||
      compareTexts(left.id, right.id),
  )
  return keyed.map(({ id, json }) => ({ id, json }))
}

function isOfPackage(document: unknown): document is OfPackage {
  return typeof document === "object" && document !== null && "packageId" in document
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
