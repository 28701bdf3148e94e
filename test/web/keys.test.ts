/** The overview of keys: its groups and rows, from the keys that parts of a page register. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { Hotkeys, type Hotkey } from "../../src/web/frame/hotkeys.ts"
import { keyGroups } from "../../src/web/frame/keys/key-groups.ts"

const run = (): void => {}
const key = (keys: string, text: string, group: Hotkey["group"]) => ({ keys, text, group, run })

test("groups are in the order of use, and rows in that of their registration", () => {
  const hotkeys = new Hotkeys(() => true)
  hotkeys.register([
    key("g h", "Go to Home", "everywhere"),
    key("g a", "Go to Alerts", "everywhere"),
  ])
  hotkeys.register([
    key("+", "Zoom in", "everywhere"),
    key("=", "Zoom in", "everywhere"),
    key("mod+z", "The range before", "everywhere"),
  ])
  hotkeys.register([key("b", "Bands", "chart"), key("j", "Next row", "list")])
  hotkeys.register([key("+", "More", "page")])
  const shown = keyGroups(hotkeys.all).map(({ name, actions }) => [
    name,
    ...actions.map(({ text, keys, isSequence }) => [text, keys.join(isSequence ? " " : "|")]),
  ])
  assert.deepEqual(shown, [
    ["everywhere", ["Zoom in", "="], ["The range before", "Ctrl z"]],
    ["page", ["More", "+"]],
    ["chart", ["Bands", "b"]],
    ["list", ["Next row", "j"]],
    ["go", ["Go to Home", "g h"], ["Go to Alerts", "g a"]],
  ])
})

test("keys that do the same are one row", () => {
  const keys = [key("=", "Zoom in", "everywhere"), key("+", "Zoom in", "everywhere")]
  const [group] = keyGroups(keys)
  assert.deepEqual(group!.actions, [{ text: "Zoom in", keys: ["+", "="], isSequence: false }])
})
