/** From a key or a press to the frame that shows it, in an account of many elements. */

import type { Page } from "playwright-core"
import { quantile, type WebFigure } from "./figures.ts"
import { takeInputs } from "./recorder.ts"
import { chartMetric } from "./seed.ts"
import type { Visitor } from "./visitor.ts"

const goalMs = 50
const presses = 20
/** A quick typist; presses of a mouse are further apart. */
const typeEveryMs = 60
const pressEveryMs = 150
/** Found by nothing: each letter narrows the list. */
const typed = "host-0123 site-x"

export async function measureInputs(visitor: Visitor): Promise<WebFigure[]> {
  const palette = await visitor.visit({ path: "inventory" }, async ({ page }) => {
    await firstRow(page)
    await takeInputs(page, 0)
    await page.keyboard.press("Control+k")
    await page.keyboard.type(typed, { delay: typeEveryMs })
    return takeInputs(page, typed.length + 1)
  })
  const filter = await visitor.visit({ path: "inventory" }, async ({ page }) => {
    await firstRow(page)
    await page.getByRole("textbox", { name: "Filter" }).focus()
    await takeInputs(page, 0)
    await page.keyboard.type(typed, { delay: typeEveryMs })
    return takeInputs(page, typed.length)
  })
  const sort = await visitor.visit({ path: "inventory" }, async ({ page }) => {
    await firstRow(page)
    return pressed(
      page,
      [0, 1].map((i) => `thead button >> nth=${i}`),
    )
  })
  const chart = { path: `explore?q=${chartMetric}` }
  const legend = await visitor.visit(chart, async ({ page }) => {
    await page.locator("figure tbody tr button").nth(3).waitFor()
    return pressed(
      page,
      [0, 1, 2].map((i) => `figure tbody tr:nth-child(${i + 1}) button`),
    )
  })
  const tabs = await visitor.visit({ path: "elements/host-00001" }, async ({ page }) => {
    await page.getByRole("tab").nth(2).waitFor()
    return pressed(
      page,
      [1, 2, 0].map((i) => `[role=tab] >> nth=${i}`),
    )
  })
  return [
    figure("palette, typing", palette),
    figure("filter of the inventory, typing", filter),
    figure("inventory, sorting", sort),
    figure("legend, one line alone", legend),
    figure("tabs of an element", tabs),
  ]
}

function firstRow(page: Page): Promise<void> {
  return page.locator("tbody tr[aria-rowindex] a").first().waitFor()
}

/** Presses what the selectors find in turn. */
async function pressed(page: Page, selectors: readonly string[]): Promise<number[]> {
  await takeInputs(page, 0)
  for (let i = 0; i < presses; i++) {
    await page
      .locator(selectors[i % selectors.length]!)
      .first()
      .click()
    await page.waitForTimeout(pressEveryMs)
  }
  return takeInputs(page, presses)
}

function figure(what: string, inputs: readonly number[]): WebFigure {
  const note = `${inputs.length} inputs, longest ${Math.max(...inputs)}`
  return { what: `${what}: p95`, value: quantile(inputs, 0.95), unit: "ms", goal: goalMs, note }
}
