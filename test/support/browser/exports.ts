/** Files that a page of charts saves. */

import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"

/** The file of a choice of the menu of exports. */
export async function savedExport(page: Page, name: string) {
  await page.getByRole("button", { name: "Export" }).click()
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}
