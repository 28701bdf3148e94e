import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../../src/base/errors.ts"
import {
  formatVersion,
  migrations,
  migrateFormat,
  type Migration,
} from "../../../src/store/lmdb/disk/format-version.ts"
import { textKey, type Tables } from "../../../src/store/lmdb/disk/tables.ts"
import { tablesOf } from "../../support/store/lmdb-folder.ts"

const versionKey = textKey("formatVersion")

function versionOf(tables: Tables): string | undefined {
  return tables.meta.get(versionKey)?.toString()
}

function setVersion(tables: Tables, version: number): void {
  tables.root.transactionSync(() => tables.meta.put(versionKey, Buffer.from(String(version))))
}

/** Steps that leave a trace of their order. */
function tracing(from: readonly number[]): Migration[] {
  const key = textKey("trace")
  return from.map((each) => ({
    from: each,
    apply: ({ meta }) => {
      meta.put(key, Buffer.from(`${meta.get(key)?.toString() ?? ""}${each}`))
    },
  }))
}

function traceOf(tables: Tables): string | undefined {
  return tables.meta.get(textKey("trace"))?.toString()
}

function isStorage(pattern: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof ServiceError && error.code === "storage" && pattern.test(error.message)
}

test("an empty store gets this program's version, and no migration runs", (t) => {
  const tables = tablesOf(t)
  migrateFormat(tables, tracing([1, 2]), 3)
  assert.equal(versionOf(tables), "3")
  assert.equal(traceOf(tables), undefined)
})

test("a store of this version is left as it is", (t) => {
  const tables = tablesOf(t)
  migrateFormat(tables)
  migrateFormat(tables)
  assert.equal(versionOf(tables), String(formatVersion))
})

test("there is a migration from each version before this one", () => {
  const want = Array.from({ length: formatVersion - 1 }, (_, i) => i + 1)
  assert.deepEqual(migrations.map(({ from }) => from).sort(), want)
})

test("a newer store is refused with both versions, and stays as it is", (t) => {
  const tables = tablesOf(t)
  setVersion(tables, formatVersion + 1)
  const told = new RegExp(`${formatVersion + 1}.* up to ${formatVersion}`)
  assert.throws(() => migrateFormat(tables), isStorage(told))
  assert.equal(versionOf(tables), String(formatVersion + 1))
})

test("an older store is migrated step by step, in order of versions", (t) => {
  const tables = tablesOf(t)
  setVersion(tables, 2)
  migrateFormat(tables, tracing([4, 1, 3, 2]), 5)
  assert.equal(traceOf(tables), "234")
  assert.equal(versionOf(tables), "5")
})

test("a migration that fails leaves the store at the last whole step, to be run again", (t) => {
  const tables = tablesOf(t)
  setVersion(tables, 1)
  const [first, second] = tracing([1, 2])
  const failing: Migration = {
    from: 2,
    apply: (all) => {
      second!.apply(all)
      throw new Error("power failed")
    },
  }
  assert.throws(() => migrateFormat(tables, [first!, failing], 3), /power failed/)
  assert.deepEqual([versionOf(tables), traceOf(tables)], ["2", "1"])
  migrateFormat(tables, [first!, second!], 3)
  assert.deepEqual([versionOf(tables), traceOf(tables)], ["3", "12"])
})

test("a missing migration is reported with both versions", (t) => {
  const tables = tablesOf(t)
  setVersion(tables, 1)
  assert.throws(() => migrateFormat(tables, tracing([2]), 3), isStorage(/format 1 to 3/))
  assert.equal(versionOf(tables), "1")
})
