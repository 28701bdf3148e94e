/** Bytes of each tenant in a store's tables, counted record by record. */

import { Catalogue } from "../../../src/catalogue/catalogue.ts"
import { recordBytes } from "../../../src/store/lmdb/compaction/byte-count.ts"
import { loadCatalogue } from "../../../src/store/lmdb/metadata/catalogue-table.ts"
import { recordTables, openTables } from "../../../src/store/lmdb/disk/tables.ts"

/** By tenant, without those that have none. The store may be open elsewhere in this process. */
export async function recountBytes(folder: string): Promise<ReadonlyMap<number, number>> {
  const tables = openTables(folder)
  try {
    const catalogue = new Catalogue()
    loadCatalogue(tables, catalogue)
    const bytes = new Map<number, number>()
    for (const name of recordTables) {
      for (const { key, value } of tables[name].getRange()) {
        const { tenant } = catalogue.name(catalogue.partitionName(key.readUInt32BE(4)))
        const taken = recordBytes(key.length, value.length, tables.pageBytes)
        bytes.set(tenant, (bytes.get(tenant) ?? 0) + taken)
      }
    }
    return bytes
  } finally {
    await tables.root.close()
  }
}

/** The figures of a store in the same form. */
export function bytesByTenant(perTenant: readonly number[]): ReadonlyMap<number, number> {
  return new Map([...perTenant.entries()].filter(([, bytes]) => bytes !== 0))
}
