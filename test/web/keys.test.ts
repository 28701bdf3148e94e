/** The overview of keys: its groups and rows, from the keys that parts of a page register. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { keyGroups, type ListedKey } from "../../src/web/frame/keys/key-groups.ts"

const key = (keys: string, text: string, group: ListedKey["group"]) => ({ keys, text, group })

test("groups are in the order of use, and keys that do the same are one row", () => {
  const registered = [
    key("g h", "Go to Home", "everywhere"),
    key("g a", "Go to Alerts", "everywhere"),
    key("+", "Zoom in", "everywhere"),
    key("=", "Zoom in", "everywhere"),
    key("mod+z", "The range before", "everywhere"),
    key("b", "Bands", "chart"),
    key("j", "Next row", "list"),
    key("r", "Refresh", "page"),
  ]
  const shown = keyGroups(registered.toReversed()).map(({ name, actions }) => [
    name,
    ...actions.map(({ text, keys, isSequence }) => [text, keys.join(isSequence ? " " : "|")]),
  ])
  assert.deepEqual(shown, [
    ["everywhere", ["Zoom in", "+|="], ["The range before", "Ctrl z"]],
    ["page", ["Refresh", "r"]],
    ["chart", ["Bands", "b"]],
    ["list", ["Next row", "j"]],
    ["go", ["Go to Home", "g h"], ["Go to Alerts", "g a"]],
  ])
})
