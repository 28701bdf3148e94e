/**
 * The catalogue at 1,000,000 metrics over 20,000 elements: how long finding takes on one query
 * thread, how long a start takes to load it, and the memory of its replica.
 *
 *   node --expose-gc --import tsx bench/catalog.ts [--size small] [--runs 31] [--out FILE]
 *
 * Each figure is the median of `--runs` runs after three to warm up, plan and answer together, as
 * one query thread does them; HTTP and the way between threads come on top (0.3 ms).
 */

import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Query } from "../src/query/query.ts"
import type { QueryRequest } from "../src/query/query.ts"
import { openReadStore } from "../src/store/open.ts"
import {
  fillStore,
  metricsPerElement,
  sizes,
  tenantUuid,
  type CatalogSize,
} from "./catalog-data.ts"
import { machineLine } from "./machine.ts"
import { markdownTable, shortNumber } from "./table.ts"
import type { AnswerParts } from "../src/wire/json.ts"

interface Asked {
  readonly name: string
  readonly targetMs: number | null
  readonly request: Pick<QueryRequest, "kind"> & Partial<QueryRequest>
}

const exact = (item: string) => ({ and: false, items: [{ item, queryType: "EXACT" }] })
const part = (item: string) => ({ and: false, items: [{ item, literal: false }] })
const ofType = { elementTypes: exact("type-3") }
const metric = (body: object) => ({ kind: "metricQuery", body }) as const

const questions: readonly Asked[] = [
  {
    name: "metricQuery by type and EXACT fqn",
    targetMs: 5,
    request: metric({ ...ofType, metricFqns: exact("shared.group-1.metric-7") }),
  },
  {
    name: "the same, sorted by name",
    targetMs: null,
    request: metric({
      ...ofType,
      metricFqns: exact("shared.group-1.metric-7"),
      sort: { field: "name" },
    }),
  },
  {
    name: "metricQuery by substring",
    targetMs: 100,
    request: metric({ metricFqns: part("METRIC-1") }),
  },
  {
    name: "metricQuery by substring of all, sorted by unit",
    targetMs: 100,
    request: metric({ metricFqns: part("metric"), sort: { field: "unit" } }),
  },
  {
    name: "metricQuery by regular expression",
    targetMs: 100,
    request: metric({ metricFqns: { items: [{ item: "m.*-(1|2)\\d$", queryType: "REGEX" }] } }),
  },
  {
    name: "metricQuery by element tag and substring",
    targetMs: 100,
    request: metric({
      elementTags: { items: [{ key: "env", value: "prod" }] },
      metricFqns: part("metric-2"),
    }),
  },
  { name: "metricQuery of everything", targetMs: null, request: metric({}) },
  {
    name: "metricQuery of everything, last page, sorted by id",
    targetMs: null,
    request: metric({ sort: { field: "id" }, page: 9 }),
  },
  {
    name: "fqns of one element",
    targetMs: 2,
    request: { kind: "fqns", params: { elementFqn: ["host-777"] } },
  },
  {
    name: "fqns of a type",
    targetMs: null,
    request: { kind: "fqns", params: { elementType: ["type-3"] } },
  },
  {
    name: "metricAgg over everything",
    targetMs: 300,
    request: { kind: "metricAgg", params: { term: ["fqn"] }, body: {} },
  },
  {
    name: "metricQuery with dates, of everything",
    targetMs: null,
    request: metric({ startDate: "-", metricFqns: part("metric") }),
  },
  {
    name: "elementQuery by name, sorted",
    targetMs: null,
    request: { kind: "elementQuery", body: { elementNames: part("77"), sort: { field: "name" } } },
  },
  {
    name: "elementQuery sorted by lastProcessed",
    targetMs: null,
    request: {
      kind: "elementQuery",
      body: { sort: { field: "lastProcessed", order: "desc" }, pageSize: 10 },
    },
  },
  {
    name: "elementAgg by tags",
    targetMs: null,
    request: { kind: "elementAgg", params: { term: ["tags"] }, body: {} },
  },
]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      size: { type: "string", default: "canonical" },
      runs: { type: "string", default: "31" },
      out: { type: "string" },
      // How this script fills the store in another process.
      fill: { type: "string" },
      now: { type: "string" },
    },
  })
  if (values.size !== "small" && values.size !== "canonical") {
    throw new Error(`Cannot take --size ${values.size}: expected small or canonical`)
  }
  if (values.fill !== undefined) {
    const { elements } = sizes[values.size]
    return fillStore(values.fill, { elements, nowMs: Number(values.now) })
  }
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-catalog-"))
  try {
    const report = await measure(folder, values.size, Number(values.runs))
    process.stdout.write(report)
    if (values.out !== undefined) writeFileSync(values.out, report)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function measure(folder: string, size: CatalogSize, runs: number): Promise<string> {
  const { elements } = sizes[size]
  const nowMs = Date.now()
  fillElsewhere(folder, size, nowMs)
  const memoryBefore = memory()
  const startedMs = performance.now()
  const store = openReadStore({ folder })
  const loadMs = performance.now() - startedMs
  const metrics = elements * metricsPerElement
  const memoryOf = () => `${shortNumber((memory() - memoryBefore) / metrics)} bytes a metric`
  const rows = [
    ["catalogue loaded at start", `${shortNumber(loadMs)} ms`, "3.00 k ms", "", ""],
    ["memory of the replica", memoryOf(), "400", "", ""],
  ]
  const query = new Query({ store, tenantUuid, elapsedMs: () => performance.now() })
  for (const asked of questions) rows.push(await measureOne(query, { asked, runs, nowMs }))
  rows.push(["memory with all indexes", memoryOf(), "400", "", ""])
  await store.close()
  const head = ["what", "median", "target", "p95", "bytes"]
  const about = `${metrics} metrics, ${elements} elements`
  return `Machine: ${machineLine()}\n\n${about}\n\n${markdownTable(head, rows)}\n`
}

/** In a process of its own, whose memory is none of the replica's. */
function fillElsewhere(folder: string, size: CatalogSize, nowMs: number): void {
  const flags = ["--fill", folder, "--size", size, "--now", String(nowMs)]
  const program = [...process.execArgv, process.argv[1]!]
  execFileSync(process.execPath, [...program, ...flags], { stdio: "inherit" })
}

async function measureOne(
  query: Query,
  { asked, runs, nowMs }: { asked: Asked; runs: number; nowMs: number },
): Promise<string[]> {
  const times: number[] = []
  let bytes = 0
  for (let run = -3; run < runs; run++) {
    const startedMs = performance.now()
    bytes = (await answer(query, asked, nowMs)).length
    if (run >= 0) times.push(performance.now() - startedMs)
  }
  times.sort((left, right) => left - right)
  const at = (part: number) => `${shortNumber(times[Math.floor(part * times.length)]!)} ms`
  const target = asked.targetMs === null ? "" : `${asked.targetMs} ms`
  return [asked.name, at(0.5), target, at(0.95), String(bytes)]
}

async function answer(query: Query, { request }: Asked, nowMs: number): Promise<AnswerParts> {
  const body = request.body as { startDate?: unknown } | undefined
  const dated = body?.startDate === undefined ? body : { ...body, startDate: nowMs - 3_600_000 }
  const plan = await query.plan({ params: {}, ...request, body: dated, tenant: 0, nowMs })
  return query.answer(plan, null)
}

/** Heap and buffers, after garbage was collected. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

await main()
