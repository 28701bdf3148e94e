/**
 * Assertions about pages. A page changes by itself, so what a test reads once depends on chance:
 * `expect` reads again until the condition holds or 30 s have passed, and prints what it read last.
 */

import { createRequire } from "node:module"
import { isDeepStrictEqual } from "node:util"
import { expect as playwrightExpect } from "@playwright/test"
import type { Locator, Page } from "playwright-core"
import { misfits } from "./misfits.ts"

/** A machine that runs many tests concurrently is slow. */
export const expect = playwrightExpect.configure({ timeout: 30_000 })

/** Waits until the page says how many it lists, such as "40 alerts". */
export function expectTotal(page: Page, words: string): Promise<void> {
  return page.getByRole("status").getByText(words, { exact: true }).waitFor()
}

/** Waits until the text of an element matches; resolves to it. */
export async function textOf(locator: Locator, pattern: RegExp): Promise<string> {
  await expect(locator).toContainText(pattern)
  return locator.innerText()
}

/** Types as soon as the field is seen, without a press on it: it has to have the focus by itself. */
export async function expectTyped(page: Page, text: string, field: Locator): Promise<void> {
  await field.waitFor()
  await page.keyboard.type(text)
  await expect(field).toHaveValue(text)
}

/** Waits until an element has the focus: without one, Tab and a screen reader lose their place. */
export function expectFocus(page: Page): Promise<void> {
  return expect(page.locator(":focus")).toHaveCount(1)
}

/** In pixels of the window. */
interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Waits until an element is there and rests: the box of one that is drawn again is none. */
export async function boxOf(locator: Locator): Promise<Box> {
  const boxes: (Box | null)[] = []
  const isAtRest = async () => {
    const box = await locator.boundingBox()
    return boxes.push(box) > 1 && box !== null && isDeepStrictEqual(box, boxes.at(-2))
  }
  await expect.poll(isAtRest, { message: `box of ${locator}` }).toBe(true)
  return boxes.at(-1)!
}

/** 200 % zoom on a small desk, and what WCAG 1.4.10 asks for. */
const narrowWidths = [640, 320]

/** Waits for a page that fits its window, and narrower ones. */
export async function expectToFit(page: Page, message = "misfits"): Promise<void> {
  const size = page.viewportSize()!
  for (const width of [size.width, ...narrowWidths.filter((one) => one < size.width)]) {
    await page.setViewportSize({ ...size, width })
    await expect.poll(() => misfits(page), { message: `${message} at ${width} px` }).toEqual([])
  }
  await page.setViewportSize(size)
}

/** Waits until a parameter of the address equals `value`; `null`: until the address has none. */
export async function expectParameter(
  page: Page,
  name: string,
  value: string | null,
): Promise<void> {
  const actual = () => new URL(page.url()).searchParams.get(name)
  await expect.poll(actual, { message: `parameter ${name}` }).toBe(value)
}

/** Waits for a page on which axe-core finds nothing wrong. */
export async function expectAccessible(page: Page, message = "axe-core"): Promise<void> {
  await expect.poll(() => axeProblems(page), { message }).toEqual([])
}

/** Where and what axe-core finds wrong on a page as it is now, a line each. */
async function axeProblems(page: Page): Promise<string[]> {
  // Evaluated by the test, and so allowed whatever the page's own policy says.
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const runner = (globalThis as unknown as { axe: Runner }).axe
    interface Runner {
      run(): Promise<{ violations: { id: string; nodes: { target: unknown; html: string }[] }[] }>
    }
    const { violations } = await runner.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id} ${JSON.stringify(target)} ${html.slice(0, 160)}`),
    )
  })
}

const axe = createRequire(import.meta.url)("axe-core") as { readonly source: string }
