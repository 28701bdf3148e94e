/** Rows as cards without a browser: the parts of a card, and the orders to choose from. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { cardParts, type CardColumn } from "../../src/web/frame/rows/card-parts.ts"
import { sortOptions, type OrderedColumn } from "../../src/web/frame/rows/row-order.ts"

type Row = Readonly<Record<string, string>>

const column = (id: string, changes: CardColumn<Row> & Partial<OrderedColumn> = {}) => ({
  id,
  title: id.toUpperCase(),
  isEmpty: (row: Row) => row[id] === undefined,
  ...changes,
})

test("a card has the columns with a value, and the first one after the mark is its name", () => {
  const columns = [
    column("level"),
    column("policy"),
    column("element"),
    column("value"),
    column("since", { isEmpty: () => false }),
    column("type", { isNextToName: true }),
  ]
  const shown = (row: Row) => {
    const { mark, name, nextToName, facts } = cardParts(columns, row)
    return [[mark, name], nextToName, facts].map((some) => some.map((one) => one?.id).join())
  }
  const all = { policy: "p", element: "e", value: "v", type: "t" }
  assert.deepEqual(shown(all), ["level,policy", "type", "element,value,since"])
  assert.deepEqual(shown({ element: "e" }), ["level,element", "", "since"])
})

test("cards are sorted by what the heads of the table sort by", () => {
  const orders = [
    { id: "metric.cpu", title: "avg", name: "average" },
    { id: "p95.cpu", title: "p95", name: "95th percentile" },
  ]
  const columns = [
    column("level"),
    column("name"),
    column("metric.cpu", { orders }),
    column("note"),
  ]
  const options = (by: string, fields = ["level", "name"]) => {
    const order = { fields, by, isDescending: false, onSort: () => {} }
    return sortOptions(columns, order).map(({ value, text }) => `${value}: ${text}`)
  }
  const known = [
    "level: LEVEL",
    "name: NAME",
    "metric.cpu: METRIC.CPU, average",
    "p95.cpu: METRIC.CPU, 95th percentile",
  ]
  assert.deepEqual(options("name"), known)
  assert.deepEqual(options("location"), ["location: location", ...known])
  const order = { fields: [], by: "name", isDescending: false, onSort: () => {} }
  assert.deepEqual(sortOptions([column("level"), column("name")], order), [])
})
