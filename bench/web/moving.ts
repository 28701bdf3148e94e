/** Frames while a person moves: a chart that is panned, the cursor over it, the map of Home. */

import { setTimeout as wait } from "node:timers/promises"
import type { Page } from "playwright-core"
import { quantile, type WebFigure } from "./figures.ts"
import { seenAt, startFrames, stopFrames } from "./recorder.ts"
import { chartMetric } from "./seed.ts"
import type { Visitor } from "./visitor.ts"

const seconds = 2
/** A mouse tells where it is about as often. */
const moveEveryMs = 16
/** 60 frames a second, and what a timer is off by. */
const frameGoalMs = 17
const lineCounts = [20, 1_000]

export async function measurePan(visitor: Visitor): Promise<WebFigure[]> {
  const figures: WebFigure[] = []
  for (const lines of lineCounts) {
    const query = `q=${chartMetric}%3Btop%3D${lines}&from=now-24h&live=0`
    figures.push(
      ...(await visitor.visit({ path: `explore?${query}` }, async ({ page }) => {
        await page.getByRole("application").first().locator("canvas").first().waitFor()
        // The legend is drawn after the chart.
        await page.locator("figure tbody tr").first().waitFor()
        const over = await moving(page, false)
        const pan = await moving(page, true)
        return [
          frames(`pan of ${lines} series × 288 points`, pan),
          frames(`cursor over ${lines} series`, over),
        ]
      })),
    )
  }
  return figures
}

async function moving(page: Page, isPanning: boolean): Promise<number[]> {
  const chart = page.getByRole("application").first()
  const box = (await chart.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  if (isPanning) {
    await page.keyboard.down("Shift")
    await page.mouse.down()
  }
  const intervals = await framesDuring(page, (part) => {
    return page.mouse.move(x + (box.width / 3) * Math.sin(part * 2 * Math.PI), y)
  })
  if (isPanning) {
    await page.mouse.up()
    await page.keyboard.up("Shift")
  }
  return intervals
}

/** `move` is given the part of the time that is over. */
async function framesDuring(page: Page, move: (part: number) => Promise<void>) {
  await startFrames(page)
  const steps = (seconds * 1000) / moveEveryMs
  const startedMs = performance.now()
  for (let i = 0; i < steps; i++) {
    await move(i / steps)
    await wait(Math.max(0, startedMs + i * moveEveryMs - performance.now()))
  }
  return stopFrames(page)
}

function frames(what: string, intervals: readonly number[]): WebFigure {
  const [half, most] = [quantile(intervals, 0.5), quantile(intervals, 1)]
  const note = `${intervals.length} frames, p50 ${half.toFixed(1)}, longest ${most.toFixed(0)}`
  const value = quantile(intervals, 0.95)
  return { what: `${what}: p95 of frames`, value, unit: "ms", goal: frameGoalMs, note }
}

/** The map of all elements: until it is drawn, and while the pointer crosses it. */
export function measureHome(visitor: Visitor, elements: number): Promise<WebFigure[]> {
  const selectors = { map: "canvas" }
  return visitor.visit({ path: "", selectors }, async ({ page }) => {
    const ms = await seenAt(page, "map")
    const map = page.locator("canvas").first()
    const box = (await map.boundingBox())!
    const intervals = await framesDuring(page, (part) => {
      const across = box.x + box.width * ((part * 5) % 1)
      return page.mouse.move(across, box.y + box.height * part)
    })
    return [
      { what: `home with ${elements} cells: drawn`, value: ms, unit: "ms", goal: 500 },
      frames(`home with ${elements} cells: hover`, intervals),
    ]
  })
}
