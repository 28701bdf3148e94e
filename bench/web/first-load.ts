/** A first load with empty caches: bytes, requests, time until one can type, time to a chart. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { median, type WebFigure } from "./figures.ts"
import { chartMetric } from "./seed.ts"
import { seenAt } from "./recorder.ts"
import type { Visit, Visitor } from "./visitor.ts"

const rounds = 9
const metricField = "input[role=combobox]"

interface Loaded {
  readonly type: string
  readonly startMs: number
  bytes: number
}

export async function measureFirstLoad(visitor: Visitor): Promise<WebFigure[]> {
  const usableMs: number[] = []
  for (let i = 0; i < rounds; i++) usableMs.push(await usable(visitor))
  const charts: Awaited<ReturnType<typeof firstChart>>[] = []
  for (let i = 0; i < rounds; i++) charts.push(await firstChart(visitor))
  const { scripts, styles, requests, names } = charts.at(-1)!
  const first = "first load of /app/explore"
  return [
    { what: `${first}: scripts`, value: scripts, unit: "B", goal: 90_000 },
    { what: `${first}: styles`, value: styles, unit: "B", goal: 14_000 },
    {
      what: "requests before the first chart",
      value: requests,
      unit: "",
      goal: 7,
      note: names.join(" "),
    },
    {
      what: "cold load to usable",
      value: median(usableMs),
      unit: "ms",
      goal: 300,
      note: spread(usableMs),
    },
    {
      what: "first chart of 20 series",
      value: median(charts.map(({ ms }) => ms)),
      unit: "ms",
      goal: 600,
      note: spread(charts.map(({ ms }) => ms)),
    },
  ]
}

function spread(values: readonly number[]): string {
  const round = (value: number) => Math.round(value)
  const [least, most] = [Math.min(...values), Math.max(...values)].map(round)
  return `median of ${values.length}, ${least} to ${most}`
}

/** Until the field of the metric is in sight; then a letter is typed and has to be in it. */
function usable(visitor: Visitor): Promise<number> {
  const selectors = { field: metricField }
  return visitor.visit({ path: "explore", selectors }, async ({ page }) => {
    const ms = await seenAt(page, "field")
    const field = page.locator(metricField).first()
    await field.pressSequentially("c")
    const typed = await field.inputValue()
    if (typed !== "c") throw new Error(`Expected c in the field of the metric, got ${typed}`)
    return ms
  })
}

function firstChart(visitor: Visitor) {
  const loaded = new Map<string, Loaded & { readonly name: string }>()
  const path = `explore?q=${chartMetric}`
  const prepare = (visit: Visit) => watch(visit, loaded)
  return visitor.visit({ path, prepare }, async ({ page }) => {
    await page.getByRole("application").first().waitFor()
    const marks = `performance.getEntriesByName("tidegauge:chart")[0]?.startTime`
    const ms: number | undefined = await page.evaluate(marks)
    if (ms === undefined) throw new Error("Expected the mark tidegauge:chart")
    await page.waitForLoadState("load")
    const all = [...loaded.values()]
    const start = Math.min(...all.map(({ startMs }) => startMs))
    const before = all.filter(({ startMs }) => startMs - start <= ms)
    const bytesOf = (type: string) =>
      before.filter((one) => one.type === type).reduce((sum, { bytes }) => sum + bytes, 0)
    return {
      ms,
      scripts: bytesOf("Script"),
      styles: bytesOf("Stylesheet"),
      requests: before.length,
      names: before.map(({ name }) => name),
    }
  })
}

/** Fills `loaded` with each request, by its id, and its bytes on the wire with headers. */
async function watch(
  { devTools }: Visit,
  loaded: Map<string, Loaded & { readonly name: string }>,
): Promise<void> {
  devTools.on("Network.requestWillBeSent", ({ requestId, request, timestamp, type = "" }) => {
    const name = new URL(request.url).pathname.replace(/^\/app\//, "")
    loaded.set(requestId, { type, name, startMs: timestamp * 1000, bytes: 0 })
  })
  devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const one = loaded.get(requestId)
    if (one !== undefined) one.bytes = encodedDataLength
  })
  await devTools.send("Network.enable")
}

interface Manifest {
  readonly files: readonly { readonly name: string; readonly brotliBytes: number }[]
  readonly entry: readonly string[]
  readonly pages: Readonly<Record<string, readonly string[]>>
}

/** Sizes of the files as built, from their list. */
export function measureFiles(folder: string): WebFigure[] {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Manifest
  const { files, pages } = manifest
  const bytes = new Map(files.map(({ name, brotliBytes }) => [name, brotliBytes]))
  const others = Object.entries(pages)
    .filter(([path]) => path.endsWith("-page.tsx") && !path.includes("/explore/"))
    .map(([path, names]) => ({
      path,
      bytes: names.reduce((sum, name) => sum + bytes.get(name)!, 0),
    }))
  const largest = others.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  const all = files.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0)
  return [
    {
      what: "largest chunk of another page",
      value: largest.bytes,
      unit: "B",
      goal: 30_000,
      note: largest.path.split("/").at(-1)!,
    },
    { what: "all files", value: all, unit: "B", goal: 280_000 },
  ]
}
