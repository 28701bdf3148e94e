/** The inventory of many elements: first rows, nodes, heap. */

import type { WebFigure } from "./figures.ts"
import { seenAt } from "./recorder.ts"
import type { Seed } from "./seed.ts"
import { memoryOf, type Visitor } from "./visitor.ts"

export function measureInventory(visitor: Visitor, seed: Seed): Promise<WebFigure[]> {
  const { elements, metricsPerElement } = seed
  const what = `inventory of ${elements} elements, ${elements * metricsPerElement} metrics`
  const selectors = { row: "tbody tr[aria-rowindex] a" }
  return visitor.visit({ path: "inventory", selectors }, async (visit) => {
    const ms = await seenAt(visit.page, "row")
    const region = visit.page.getByRole("region", { name: "Elements" })
    // To the end and back: rows that are fetched on the way are kept.
    for (const place of [0.25, 0.5, 0.75, 1, 0]) {
      await region.evaluate((holder, part) => holder.scrollTo(0, holder.scrollHeight * part), place)
      await visit.page.waitForTimeout(300)
    }
    const { heapBytes } = await memoryOf(visit)
    const nodes: number = await visit.page.evaluate("document.querySelectorAll('*').length")
    return [
      { what: `${what}: first rows`, value: ms, unit: "ms", goal: 400 },
      { what: `${what}: elements of the document`, value: nodes, unit: "", goal: 3_000 },
      { what: `${what}: heap after scrolling`, value: heapBytes, unit: "B", goal: 60e6 },
    ]
  })
}
