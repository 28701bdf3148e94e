/** The checks of a tenant's elements, read once per query, and only if the query needs them. */

import type { TenantIndex } from "../../model/ids.ts"
import type { StoredDocument } from "../../model/document.ts"
import { checkKind, type Check } from "../../model/records/check.ts"
import type { QueryContext } from "../core/query-context.ts"

export class ElementChecks {
  private readonly byElement = new Map<string, Check[]>()

  constructor(documents: readonly StoredDocument[]) {
    for (const { document } of documents) {
      const check = document as Check
      const known = this.byElement.get(check.elementFqn)
      if (known === undefined) this.byElement.set(check.elementFqn, [check])
      else known.push(check)
    }
  }

  /** Every check of the tenant. */
  *all(): Iterable<Check> {
    for (const checks of this.byElement.values()) yield* checks
  }

  /** Checks of the element with this FQN, by name. */
  of(elementFqn: string): readonly Check[] {
    return this.byElement.get(elementFqn) ?? []
  }
}

export async function readElementChecks(
  { store }: Pick<QueryContext, "store">,
  tenant: TenantIndex,
): Promise<ElementChecks> {
  return new ElementChecks(await store.listDocuments(checkKind(tenant)))
}
