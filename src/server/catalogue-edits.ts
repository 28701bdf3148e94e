/** Edits of the catalogue that users make; the checks of a deleted element go with it. */

import type { ShardClient } from "../engine/shard-client.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { CatalogueEdit } from "../model/records/catalogue-edit.ts"
import type { CheckMonitor } from "../records/incidents/check-monitor.ts"

interface CatalogueEditsDeps {
  readonly shard: Pick<ShardClient, "editCatalogue" | "editCatalogueAll">
  readonly checkMonitor: Pick<CheckMonitor, "remove">
}

export interface CatalogueEdits {
  readonly amend: (edit: CatalogueEdit) => Promise<void>
  readonly amendAll: (edits: readonly CatalogueEdit[]) => Promise<readonly (string | null)[]>
}

/** Checks go first: if the server ends in between, the element is still there to be deleted. */
export function createCatalogueEdits({ shard, checkMonitor }: CatalogueEditsDeps): CatalogueEdits {
  return {
    amend: async (edit) => {
      await removeChecks(checkMonitor, [edit])
      await shard.editCatalogue(edit)
    },
    amendAll: async (edits) => {
      await removeChecks(checkMonitor, edits)
      return shard.editCatalogueAll(edits)
    },
  }
}

async function removeChecks(
  checkMonitor: Pick<CheckMonitor, "remove">,
  edits: readonly CatalogueEdit[],
): Promise<void> {
  const deleted = new Map<TenantIndex, Set<string>>()
  for (const { kind, tenant, element } of edits) {
    if (kind !== "removeElement") continue
    deleted.set(tenant, (deleted.get(tenant) ?? new Set()).add(element))
  }
  for (const [tenant, fqns] of deleted) {
    await checkMonitor.remove(tenant, ({ elementFqn }) => fqns.has(elementFqn))
  }
}
