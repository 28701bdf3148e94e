/** Work of the embedded store in this thread. */

import type { TestContext } from "node:test"
import { cellColumnNames } from "../../src/rollup/encoding/column-name.ts"
import { ColumnBlockReader } from "../../src/rollup/encoding/column-block.ts"
import { Table } from "../../src/store/lmdb/disk/table.ts"
import { keyToColumn } from "../../src/store/lmdb/disk/tables.ts"
import type { Counts } from "./work-file.ts"

/** The table, and the column of a record of compacted cells. */
function nameOf({ name }: Table, key: Buffer): string {
  return name === "cells" ? `${name}.${cellColumnNames[keyToColumn(key)]}` : name
}

/**
 * Counts reads until the test ends: records, and how often the bytes of one series in a column were
 * opened to be decoded (`slots`).
 */
export function countReads(t: TestContext, counts: Counts): void {
  for (const name of ["get", "view"] as const) {
    const read = Table.prototype[name]
    t.mock.method(Table.prototype, name, function (this: Table, key: Buffer) {
      const value = read.call(this, key)
      if (value !== undefined) counts.add(nameOf(this, key))
      return value
    })
  }
  const { slot } = ColumnBlockReader.prototype
  t.mock.method(
    ColumnBlockReader.prototype,
    "slot",
    function (this: ColumnBlockReader, of: number) {
      counts.add(`slots.${this.column}`)
      return slot.call(this, of)
    },
  )
}

/** Counts writes until the test ends: records, removed ones too, and their bytes. */
export function countWrites(t: TestContext, counts: Counts): void {
  for (const name of ["put", "append", "putSync"] as const) {
    const write = Table.prototype[name]
    t.mock.method(Table.prototype, name, function (this: Table, key: Buffer, value: Uint8Array) {
      counts.add(nameOf(this, key))
      counts.add("bytes", key.length + value.length)
      write.call(this, key, value)
    })
  }
  for (const name of ["remove", "removeSync"] as const) {
    const remove = Table.prototype[name]
    t.mock.method(Table.prototype, name, function (this: Table, key: Buffer) {
      counts.add(`${nameOf(this, key)} removed`)
      remove.call(this, key)
    })
  }
}
