/** Where a panel lies next to its control. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { floatNextTo, type FloatBox } from "../../src/web/platform/float.ts"

const shown: FloatBox = { left: 0, top: 0, width: 1280, height: 800 }
const button = (left: number, top: number): FloatBox => ({ left, top, width: 100, height: 30 })
const menu = { width: 200, height: 300 }

test("a panel lies below its control, aligned with it", () => {
  assert.deepEqual(floatNextTo(button(40, 50), menu, shown, "start"), {
    left: 40,
    top: 84,
    heightMax: 708,
  })
  assert.equal(floatNextTo(button(440, 50), menu, shown, "end").left, 340)
})

test("a panel that has no room below lies above, or where there is more", () => {
  assert.equal(floatNextTo(button(40, 700), menu, shown, "start").top, 396)
  const tall = { width: 200, height: 900 }
  assert.deepEqual(floatNextTo(button(40, 300), tall, shown, "start"), {
    left: 40,
    top: 334,
    heightMax: 458,
  })
  assert.deepEqual(floatNextTo(button(40, 500), tall, shown, "start"), {
    left: 40,
    top: 8,
    heightMax: 488,
  })
})

test("a panel never leaves the window, covers its control or changes its side by its limit", () => {
  const size = fc.record({ width: fc.nat(300), height: fc.nat(1_500) })
  const window = fc.record({
    left: fc.nat(50),
    top: fc.nat(50),
    width: fc.integer({ min: 320, max: 1_920 }),
    // Above or below a control in it is room for the least height.
    height: fc.integer({ min: 260, max: 1_200 }),
  })
  const align = fc.constantFrom("start", "end")
  fc.assert(
    fc.property(size, window, align, fc.nat(1_000), fc.nat(1_000), (panel, shown, align, x, y) => {
      const left = shown.left + (x / 1_000) * shown.width
      const top = shown.top + (y / 1_000) * (shown.height - 30)
      const control = button(left, top)
      const placed = floatNextTo(control, panel, shown, align)
      const height = Math.min(panel.height, placed.heightMax)
      const bottom = placed.top + height
      assert.ok(placed.left >= shown.left + 8, "left")
      assert.ok(placed.left + panel.width <= shown.left + shown.width - 8 + 1e-9, "right")
      assert.ok(placed.top >= shown.top + 8 - 1e-9, "top")
      assert.ok(bottom <= shown.top + shown.height - 8 + 1e-9, "bottom")
      assert.ok(placed.top >= top + 30 || bottom <= top, "over the control")
      const again = floatNextTo(control, { width: panel.width, height }, shown, align)
      assert.ok(Math.abs(again.top - placed.top) < 1e-9, "stable")
    }),
  )
})
