/** The indexed search equals a naive filter over the documents themselves, for any catalogue. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { checkKind } from "../../src/model/records/check.ts"
import type { NameValue } from "../../src/model/element.ts"
import { sparseStrategies } from "../../src/model/element.ts"
import { elementUuid, metricUuid } from "../../src/model/fqn.ts"
import { FakeStore, ask, nowMs, queryOf, requestOf, tenantUuids } from "./fake-store.ts"
import { textOfParts } from "../support/server/answer-text.ts"
import { sized } from "../support/run/sizes.ts"

const word = fc.constantFrom("a", "ab", "b", "B", "cpu.a", "cpu.b")
const pairs = fc.uniqueArray(fc.record({ name: word, value: word }), {
  maxLength: 2,
  selector: ({ name }) => name,
})
const metric = fc.record({
  fqn: word,
  unit: word,
  type: fc.constantFrom("", "COUNTER"),
  sparseDataStrategy: fc.constantFrom(...sparseStrategies),
  tags: pairs,
  seenMs: fc.constantFrom(null, nowMs - 60_000, nowMs - 7_200_000),
})
const element = fc.record({
  tenant: fc.constantFrom(0, 0, 0, 1),
  fqn: word,
  name: word,
  type: word,
  tags: pairs,
  serviceTags: pairs,
  attributes: pairs,
  check: fc.option(word),
  isDeleted: fc.constantFrom(false, false, false, true),
  metrics: fc.uniqueArray(metric, { maxLength: 4, selector: ({ fqn }) => fqn }),
})
type Element = typeof element extends fc.Arbitrary<infer T> ? T : never
type Metric = Element["metrics"][number]
const catalogue = fc.uniqueArray(element, {
  maxLength: 6,
  selector: ({ tenant, fqn }) => `${tenant} ${fqn}`,
})

function storeOf(elements: readonly Element[]): FakeStore {
  const store = new FakeStore()
  for (const { tenant, metrics, serviceTags, isDeleted, check, ...say } of elements) {
    const index = store.element(say.fqn, say, tenant)
    for (const { fqn, seenMs, ...patch } of metrics) {
      const series = store.metric(index, fqn, { patch })
      if (seenMs !== null) store.add(series, seenMs, 1)
    }
    const info = store.catalogue.elementInfo(index)
    const deleted = isDeleted ? { deletedMs: nowMs } : {}
    store.catalogue.replaceElementInfo(index, { ...info, serviceTags, ...deleted })
    if (check === null) continue
    const known = store.documents.get(checkKind(tenant)) ?? []
    const document = { id: `id-${check.toLowerCase()}`, name: check, elementFqn: say.fqn }
    store.documents.set(checkKind(tenant), [...known, { id: say.fqn, document }])
  }
  return store
}

const uuid = tenantUuids[0]!

/** The texts that each list group tests; null if there is no metric to read. */
const texts: Readonly<Record<string, (element: Element, metric: Metric) => readonly string[]>> = {
  metricFqns: (_, { fqn }) => [fqn],
  metricNames: (_, { fqn }) => [fqn],
  metricIds: ({ fqn: of }, { fqn }) => [metricUuid(uuid, of, fqn)],
  metricTypes: (_, { type }) => [type],
  metricUnits: (_, { unit }) => [unit],
  metricSparseDataStrategies: (_, { sparseDataStrategy }) => [sparseDataStrategy],
  elementTypes: ({ type }) => [type],
  elementFqns: ({ fqn }) => [fqn],
  elementNames: ({ name }) => [name],
  elementIds: ({ fqn }) => [elementUuid(uuid, fqn)],
  datasourceIds: () => ["1"],
  collectorNames: () => ["Custom"],
  checkIds: ({ check }) => (check === null ? [] : [`id-${check.toLowerCase()}`]),
  checkNames: ({ check }) => (check === null ? [] : [check]),
}
const maps: Readonly<Record<string, (element: Element, metric: Metric) => readonly NameValue[]>> = {
  elementTags: ({ tags, serviceTags }) => [...tags, ...serviceTags],
  metricTags: (_, metric) => [...metric.tags, ...serviceTagsOf(metric)],
  attributes: ({ attributes }) => attributes,
}

function serviceTagsOf({ type, unit }: Metric): NameValue[] {
  const statistic = type === "COUNTER" ? [] : [{ name: "n.statistic", value: "AVG" }]
  return [...statistic, { name: "unit", value: unit }]
}

const how = {
  literal: fc.boolean(),
  contains: fc.constantFrom(true, true, false),
  queryType: fc.constantFrom("EXACT", "PREFIX", "CONTAINS", "WILDCARD", "REGEX", ""),
}
interface Item {
  readonly item?: string
  readonly key?: string
  readonly value?: string
  readonly literal: boolean
  readonly contains: boolean
  readonly queryType: string
}
interface Group {
  readonly and: boolean
  readonly items: readonly Item[]
  readonly nestedItems: readonly Group[]
}

const knownIds = ["a", "ab", "b"].flatMap((fqn) => [
  elementUuid(uuid, fqn),
  metricUuid(uuid, fqn, "cpu.a"),
])
const wanted = fc.constantFrom(
  "a",
  "b",
  "cpu",
  "CPU.A",
  "1",
  "Custom",
  "AVG",
  "COUNTER",
  "None",
  ...knownIds,
)
const listItem = fc.record({ item: wanted, ...how })
const mapItem = fc.record({ key: word, value: fc.oneof(wanted, fc.constant("")), ...how })
const groupOf = (item: fc.Arbitrary<Item>): fc.Arbitrary<Group> => {
  const leaf = fc.record({
    and: fc.boolean(),
    items: fc.array(item, { maxLength: 3 }),
    nestedItems: fc.constant<Group[]>([]),
  })
  return fc.record({
    and: fc.boolean(),
    items: fc.array(item, { maxLength: 3 }),
    nestedItems: fc.array(leaf, { maxLength: 1 }),
  })
}
const filter = fc
  .record(
    Object.fromEntries([
      ...Object.keys(texts).map((name) => [name, groupOf(listItem)]),
      ...Object.keys(maps).map((name) => [name, groupOf(mapItem)]),
    ]) as Record<string, fc.Arbitrary<Group>>,
    { requiredKeys: [] },
  )
  .chain((groups) =>
    // Two groups at a time: with all of them hardly anything would pass.
    fc.subarray(Object.entries(groups), { maxLength: 2 }),
  )
  .map((groups) => Object.fromEntries(groups) as Record<string, Group>)

function matches({ literal, queryType }: Item, want: string, given: string): boolean {
  const type = queryType || (literal ? "EXACT" : "CONTAINS")
  if (type === "REGEX") return new RegExp(want, literal ? "" : "i").test(given)
  const isCaseless = !literal && type !== "EXACT"
  const [text, part] = isCaseless ? [given.toLowerCase(), want.toLowerCase()] : [given, want]
  if (type === "PREFIX") return text.startsWith(part)
  return type === "CONTAINS" ? text.includes(part) : text === part
}

function passes(group: Group, test: (item: Item) => boolean): boolean {
  const including = group.items.filter((item) => item.contains)
  if (group.items.some((item) => !item.contains && test(item))) return false
  const verdicts = [...including.map(test), ...group.nestedItems.map((one) => passes(one, test))]
  if (verdicts.length === 0) return true
  return group.and ? verdicts.every(Boolean) : verdicts.some(Boolean)
}

function passesAll(groups: Record<string, Group>, of: [Element, Metric]): boolean {
  return Object.entries(groups).every(([name, group]) =>
    passes(group, (item) => {
      if (name in texts) {
        // Ids are in lower case, however they are asked for.
        const isCaseless = name.endsWith("Ids") && item.queryType !== "REGEX"
        const want = isCaseless ? item.item!.toLowerCase() : item.item!
        return texts[name]!(...of).some((text) => matches(item, want, text))
      }
      return maps[name]!(...of).some(
        (pair) =>
          pair.name === item.key && (item.value === "" || matches(item, item.value!, pair.value)),
      )
    }),
  )
}

const noMetric = {
  fqn: "",
  unit: "",
  type: "",
  sparseDataStrategy: "None",
  tags: [],
  seenMs: null,
} as unknown as Metric

/** An element without metrics reads as one metric that no group about metrics is asked of. */
function naive(
  elements: readonly Element[],
  groups: Record<string, Group>,
  startMs: number | null,
) {
  const asksForMetrics = Object.keys(groups).some(
    (name) => name.startsWith("metric") && !asksForNothing(groups[name]!),
  )
  const ofMetrics: string[] = []
  const ofElements: string[] = []
  for (const one of elements) {
    if (one.tenant !== 0 || one.isDeleted) continue
    const found = one.metrics.filter((each) => passesAll(groups, [one, each]))
    const isSeen = (each: Metric) =>
      startMs === null || (each.seenMs !== null && each.seenMs >= startMs)
    for (const each of found) if (isSeen(each)) ofMetrics.push(`${one.fqn}/${each.fqn}`)
    const isFound = asksForMetrics ? found.length > 0 : passesAll(groups, [one, noMetric])
    if (isFound && (startMs === null || one.metrics.some(isSeen))) ofElements.push(one.fqn)
  }
  return { ofMetrics: ofMetrics.sort(), ofElements: ofElements.sort() }
}

/** A group that lets everything pass asks for nothing. */
function asksForNothing({ items, nestedItems, and }: Group): boolean {
  if (items.some((item) => !item.contains)) return false
  if (and) return items.length === 0 && nestedItems.every(asksForNothing)
  return items.length + nestedItems.length === 0 || nestedItems.some(asksForNothing)
}

test("what the index finds is what a filter over all documents finds", async () => {
  await fc.assert(
    fc.asyncProperty(
      catalogue,
      filter,
      fc.constantFrom(null, nowMs - 3_600_000),
      async (elements, groups, startMs) => {
        const store = storeOf(elements)
        const dates = startMs === null ? {} : { startDate: startMs }
        const body = { ...groups, ...dates, pageSize: 10_000 }
        const want = naive(elements, groups, startMs)
        const { page } = await ask(store, requestOf("metricQuery", {}, body))
        const fqnById = new Map(elements.map(({ fqn }) => [elementUuid(uuid, fqn), fqn]))
        const gotMetrics = page.content.map(
          (each: { elementId: string; fqn: string }) =>
            `${fqnById.get(each.elementId)}/${each.fqn}`,
        )
        assert.deepEqual(gotMetrics.sort(), want.ofMetrics)
        assert.equal(page.totalElements, want.ofMetrics.length)
        const found = (await ask(store, requestOf("elementQuery", {}, body))).page
        const gotElements = found.content.map(({ fqn }: { fqn: string }) => fqn)
        assert.deepEqual(gotElements.sort(), want.ofElements)
        const { aggregations } = await ask(store, requestOf("metricAgg", { term: "fqn" }, body))
        const counts = new Map<string, number>()
        for (const one of want.ofMetrics) {
          const fqn = one.slice(one.indexOf("/") + 1)
          counts.set(fqn, (counts.get(fqn) ?? 0) + 1)
        }
        const wantCounts = [...counts].map(([fieldValue, count]) => ({ fieldValue, count }))
        assert.deepEqual(
          aggregations,
          wantCounts.sort((left, right) => (left.fieldValue < right.fieldValue ? -1 : 1)),
        )
      },
    ),
    { numRuns: sized({ quick: 150, long: 4_000 }) },
  )
})

test("a query thread that plans repeatedly sees new elements", async () => {
  const store = new FakeStore()
  const query = queryOf(store)
  const answer = async (body: object) => {
    const plan = await query.plan(requestOf("metricQuery", {}, { pageSize: 10_000, ...body }))
    return JSON.parse(textOfParts(await query.answer(plan, null))).page
  }
  for (let i = 0; i < 3_000; i++) {
    store.metric(store.element(`e${i % 7}`), `m${i}`)
    if (i % 500 !== 0) continue
    assert.equal((await answer({})).totalElements, i + 1)
    const item = metricUuid(uuid, `e${i % 7}`, `m${i}`).toUpperCase()
    assert.equal((await answer({ metricIds: { items: [{ item }] } })).content[0]?.fqn, `m${i}`)
    const sorted = (await answer({ sort: { field: "id" } })).content.map(
      ({ id }: { id: string }) => id,
    )
    assert.deepEqual(sorted, [...sorted].sort())
    assert.equal(sorted.length, i + 1)
  }
  const foreign = metricUuid(tenantUuids[1]!, "e0", "m0")
  assert.equal((await answer({ metricIds: { items: [{ item: foreign }] } })).totalElements, 0)
})

test("a pattern with exponential backtracking elsewhere is matched in linear time", async () => {
  const store = new FakeStore()
  store.metric(store.element("web"), `${"a".repeat(511)}!`)
  store.metric(store.element("web"), "a".repeat(511))
  const body = { metricFqns: { items: [{ item: "(a+)+$", queryType: "REGEX" }] } }
  // An engine that tries all ways to divide 511 letters does not end.
  assert.equal((await ask(store, requestOf("metricQuery", {}, body))).page.totalElements, 1)
})
