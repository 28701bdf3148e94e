/** Memory that stays after many rounds through all pages, in one tab. */

import type { Page } from "playwright-core"
import type { WebFigure } from "./figures.ts"
import { memoryOf, type Visit, type Visitor } from "./visitor.ts"

/** Caches of the pages and of the browser are full after these. */
const warmUpRounds = 5
/** After `g`, and the heading of the page. */
const pages = [
  ["a", "Alerts"],
  ["i", "Inventory"],
  ["e", "Explore"],
  ["v", "Events"],
  ["s", "Profile"],
  ["h", "Home"],
] as const

export function measureLeaks(visitor: Visitor, rounds: number): Promise<WebFigure[]> {
  return visitor.visit({ path: "" }, async (visit) => {
    await headingOf(visit.page, "Home")
    for (let i = 0; i < warmUpRounds; i++) await round(visit)
    const before = await memoryOf(visit)
    for (let i = 0; i < rounds; i++) await round(visit)
    const after = await memoryOf(visit)
    const what = `${rounds} rounds through ${pages.length + 1} pages`
    const note = `${(before.heapBytes / 1e6).toFixed(1)} MB, ${before.nodes} nodes before`
    const grown = (name: keyof typeof before) => Math.max(0, after[name] - before[name])
    return [
      { what: `${what}: heap`, value: grown("heapBytes"), unit: "B", goal: 5e6, note },
      { what: `${what}: nodes`, value: grown("nodes"), unit: "", goal: 200 },
      { what: `${what}: listeners`, value: grown("listeners"), unit: "", goal: 50 },
    ]
  })
}

async function round({ page }: Visit): Promise<void> {
  for (const [key, title] of pages) {
    await page.keyboard.press("g")
    await page.keyboard.press(key)
    await headingOf(page, title)
    if (title !== "Inventory") continue
    await page.locator("tbody tr[aria-rowindex] a").first().click()
    await page.getByRole("tab").first().waitFor()
  }
}

function headingOf(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" })
}
