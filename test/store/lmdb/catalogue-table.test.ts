import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { Catalogue } from "../../../src/catalogue/catalogue.ts"
import {
  lastLogSequence,
  loadCatalogue,
  putCatalogueChanges,
  refreshCatalogue,
  removeUnused,
} from "../../../src/store/lmdb/metadata/catalogue-table.ts"
import type { Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { catalogueContent } from "../../contract/store-harness.ts"
import { tablesOf } from "../../support/store/lmdb-folder.ts"

interface Change {
  readonly element: number
  readonly metric: number
  readonly unit: string
  readonly type: string
}

const change: fc.Arbitrary<Change> = fc.record({
  element: fc.nat({ max: 5 }),
  metric: fc.nat({ max: 5 }),
  unit: fc.constantFrom("", "percent"),
  type: fc.constantFrom("SERVER", "DISK"),
})

function apply(catalogue: Catalogue, { element, metric, unit, type }: Change): void {
  const index = catalogue.upsertElement(0, `e${element}`, { type, nowMs: 1 })
  catalogue.upsertSeries(index, `m${metric}`, { unit })
}

function put(tables: Tables, catalogue: Catalogue): void {
  tables.root.transactionSync(() => putCatalogueChanges(tables, catalogue, catalogue.changes()))
  catalogue.markStored()
}

/** Forgets an element, or one of its metrics, and sometimes what no series uses. */
function forget(tables: Tables, catalogue: Catalogue, { element, metric, type }: Change): void {
  const index = catalogue.findElement(0, `e${element}`)
  const name = catalogue.findName(0, `m${metric}`)
  const series = index < 0 || name < 0 ? -1 : catalogue.findSeries(index, name)
  if (series >= 0) catalogue.forgetSeries(series)
  else if (index >= 0) catalogue.forgetElement(index)
  tables.root.transactionSync(() => {
    const unused = type === "DISK" ? catalogue.unused() : { names: [], definitions: [] }
    catalogue.forgetUnused(unused)
    removeUnused(tables, unused)
    putCatalogueChanges(tables, catalogue, catalogue.changes())
  })
  catalogue.markStored()
}

function loaded(tables: Tables): Catalogue {
  const catalogue = new Catalogue()
  loadCatalogue(tables, catalogue)
  return catalogue
}

test("a refreshed replica, a loaded one and the writer's catalogue are the same", (t) => {
  const tables = tablesOf(t)
  const writer = new Catalogue()
  const replica = new Catalogue()
  let sequence = loadCatalogue(tables, replica)
  const commits = fc.array(fc.array(change, { minLength: 1, maxLength: 5 }), { maxLength: 4 })
  fc.assert(
    fc.property(commits, fc.array(change, { maxLength: 3 }), (groups, forgotten) => {
      for (const group of groups) {
        for (const one of group) apply(writer, one)
        if (writer.hasChanges()) put(tables, writer)
      }
      for (const one of forgotten) forget(tables, writer, one)
      sequence = refreshCatalogue(tables, replica, sequence)
      assert.equal(sequence, lastLogSequence(tables))
      const want = contentOf(writer)
      assert.deepEqual(contentOf(replica), want)
      assert.deepEqual(contentOf(loaded(tables)), want)
    }),
    { numRuns: 60 },
  )
})

/** Without vacant ends of blocks: a replica has not seen all series that came and went. */
function contentOf(catalogue: Catalogue): unknown {
  const { blocks, ...content } = catalogueContent(catalogue)
  return { ...content, blocks: blocks.map((block) => block.join().replace(/(,?-1)+$/, "")) }
}

test("a replica has no changes to tell: what it loaded is stored already", (t) => {
  const tables = tablesOf(t)
  const writer = new Catalogue()
  apply(writer, { element: 1, metric: 1, unit: "percent", type: "SERVER" })
  put(tables, writer)
  assert.equal(loaded(tables).hasChanges(), false)
})

test("the log keeps 4,096 entries, and a replica further behind reloads the catalogue", (t) => {
  const tables = tablesOf(t)
  const writer = new Catalogue()
  const commit = (element: number): void => {
    apply(writer, { element, metric: 0, unit: "", type: "SERVER" })
    putCatalogueChanges(tables, writer, writer.changes())
    writer.markStored()
  }
  const kept = 4096
  tables.root.transactionSync(() => commit(0))
  const atOne = loaded(tables)
  tables.root.transactionSync(() => {
    for (let i = 1; i < kept; i++) commit(i)
  })
  const first = refreshCatalogue(tables, atOne, 1)
  assert.equal(first, kept, "Expected a replica 4,095 entries behind to be brought up to date")
  assert.deepEqual(catalogueContent(atOne), catalogueContent(writer))

  tables.root.transactionSync(() => {
    for (let i = kept; i < kept + 100; i++) commit(i)
  })
  assert.equal([...tables.elementLog.getKeys()].length, kept)
  assert.equal(refreshCatalogue(tables, loaded(tables), 100), -1)
  assert.equal(refreshCatalogue(tables, loaded(tables), 101), kept + 100)
})
