/** The checks of a tenant's elements, read once per query, and only if the query needs them. */

import { checkKind, type Check } from "../../model/records/check.ts"
import type { QueryContext } from "../core/query-context.ts"

export class ElementChecks {
  private readonly context: QueryContext
  private readonly tenant: number
  private byElement: Map<string, Check[]> | null = null

  constructor(context: QueryContext, tenant: number) {
    this.context = context
    this.tenant = tenant
  }

  /** Checks of the element with this FQN, by name. */
  of(elementFqn: string): readonly Check[] {
    this.byElement ??= this.read()
    return this.byElement.get(elementFqn) ?? []
  }

  private read(): Map<string, Check[]> {
    const byElement = new Map<string, Check[]>()
    for (const { document } of this.context.store.listDocuments(checkKind(this.tenant))) {
      const check = document as Check
      const known = byElement.get(check.elementFqn)
      if (known === undefined) byElement.set(check.elementFqn, [check])
      else known.push(check)
    }
    return byElement
  }
}
