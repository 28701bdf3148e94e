/** Laws of the catalogue and of documents: what is known survives, and readers see it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { cycleMs, hourMs } from "../../src/model/resolution.ts"
import { append, findSeries, noonMs, plain, seriesName, shuffled } from "../support/samples.ts"
import type { SeriesName } from "../support/samples.ts"
import type { CatalogueEdit } from "../../src/model/records/catalogue-edit.ts"
import { askStatistics, catalogueContent, everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, OpenedStore } from "./store-harness.ts"

export function catalogueContract({ open }: Contract): void {
  test("names of one append are kept next to those that the next one adds", async () => {
    await withTrial(open, async (trial) => {
      describeTwoHosts(trial.subject)
      await trial.pass("reopen")
      const { writer, reader } = trial.subject
      const element = writer.catalogue.findElement(0, "web-1")
      writer.catalogue.upsertElement(0, "web-1", { location: "Zürich", nowMs: noonMs + 1 })
      writer.catalogue.upsertSeries(element, "cpu.total", { unit: "percent" })
      writer.catalogue.upsertSeries(element, "load.1")
      append(writer)
      trial.refresh()
      const { name, location, tags, createdMs } = reader.catalogue.elementInfo(element)
      assert.deepEqual([name, location, createdMs], ["Web 1", "Zürich", noonMs])
      assert.deepEqual(tags, [{ name: "stage", value: "live" }])
      assert.deepEqual(definitionOf(trial.subject, "cpu.total"), ["percent", "GAUGE"])
      assert.equal(reader.catalogue.elementSeries(element).length, 3)
    })
  })

  test("what people change is kept by the next append, and the reader sees it", async () => {
    await withTrial(open, async (trial) => {
      describeTwoHosts(trial.subject)
      const before = catalogueContent(trial.subject.writer.catalogue)
      const of = { tenant: 0, element: "web-1", nowMs: noonMs }
      const set = [{ name: "owner", value: "ops" }]
      const change = (...amendments: CatalogueEdit[]) => {
        const { writer, reader } = trial.subject
        for (const one of amendments) applyEdit(writer.catalogue, one)
        append(writer)
        trial.refresh()
        assert.deepEqual(catalogueContent(reader.catalogue), catalogueContent(writer.catalogue))
      }
      const tags = { ...of, kind: "tags", set, remove: null } as const
      change({ ...tags, metric: null }, { ...tags, metric: "requests" })
      change({ ...of, kind: "removeElement" })
      assert.notDeepEqual(catalogueContent(trial.subject.writer.catalogue), before)
      await trial.pass("reopen")
      const { reader } = trial.subject
      trial.refresh()
      const element = reader.catalogue.findElement(0, "web-1")
      assert.equal(reader.catalogue.isDeleted(element), true)
      assert.deepEqual(reader.catalogue.elementInfo(element).serviceTags, set)
      const series = findSeries(reader.catalogue, seriesName("web-1", "requests"))
      assert.deepEqual(reader.catalogue.seriesDefinition(series).serviceTags, set)
    })
  })

  test("one metric name over several blocks answers for each element, in any order", async () => {
    await withTrial(open, async (trial) => {
      const hosts = 2 * partitionSeriesMax + 40
      for (let cycle = 0; cycle < 3; cycle++) {
        const timeMs = noonMs - (cycle + 1) * cycleMs
        const of = (_: unknown, n: number) => seriesName(`host-${n}`, "cpu.total")
        const row = Array.from({ length: hosts }, of)
        const some = row.filter((_, n) => n % (cycle + 2) !== 1)
        trial.append(some.map((name, n) => plain(timeMs, n + cycle / 4, name)))
        trial.append(some.slice(0, 300).map(({ element }, n) => memory(element, timeMs + n)))
      }
      const count = trial.model.catalogue.seriesCount
      const series = Int32Array.from(shuffled([...Array(count).keys()], 11))
      for (const stage of stages) {
        await trial.pass(stage, noonMs + hourMs)
        for (const resolution of ["ZERO", "PT5M", "PT1H", "PT24H"] as const) {
          const asked = { series, resolution, withValues: true, exact: false }
          trial.agreeOnStatistics({ ...asked, span: everything })
          trial.agreeOnStatistics({ ...asked, series: series.subarray(5, 9), span: everything })
          const span = { startMs: noonMs - 2 * cycleMs, endMs: noonMs - 1 }
          trial.agreeOnStatistics({ ...asked, span })
        }
      }
    })
  })

  test("many metric names of one element do not disturb each other", async () => {
    await withTrial(open, async (trial) => {
      const names = Array.from({ length: 40 }, (_, n) => seriesName("host-1", `metric.${n}`))
      trial.append(names.map((of, n) => plain(noonMs - 1, n, of)))
      trial.append(
        names.filter((_, n) => n % 7 === 0).map((of, n) => plain(noonMs - hourMs, n, of)),
      )
      for (const stage of stages) {
        await trial.pass(stage, noonMs + hourMs)
        trial.agree()
      }
    })
  })

  test("two tenants with the same names have nothing in common", async () => {
    await withTrial(open, async (trial) => {
      const of = (tenant: number): SeriesName => seriesName("host-1", "cpu.total", tenant)
      trial.append([plain(noonMs, 1, of(0)), plain(noonMs, 2, of(1)), plain(noonMs, 3, of(1))])
      for (const stage of stages) {
        await trial.pass(stage)
        const { reader } = trial.subject
        trial.refresh()
        const [mine, theirs] = [0, 1].map((tenant) => findSeries(reader.catalogue, of(tenant)))
        const asked = { span: everything, resolution: "ZERO", withValues: false } as const
        const series = Int32Array.of(theirs!, mine!)
        const answers = askStatistics(trial.subject, { ...asked, series, exact: false })
        assert.deepEqual(
          answers.map(({ statistics }) => statistics.sum),
          [5, 1],
        )
      }
    })
  })
}

export function documentContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(10, runs >> 2) }

  test("a document is got as it was put, listed by id and gone when removed", async () => {
    await withTrial(open, async (trial) => {
      const { writer } = trial.subject
      const account = {
        name: "Ünïcode",
        roles: ["a"],
        limit: null,
        since: noonMs,
        nested: { on: true },
      }
      writer.putDocuments([{ kind: "account", id: "b", document: account }])
      writer.putDocuments([{ kind: "account", id: "a", document: { n: 1.5 } }])
      writer.putDocuments([{ kind: "key", id: "a", document: "text" }])
      const check = ({ writer: kept }: OpenedStore) => {
        assert.deepEqual(kept.getDocument("account", "b"), account)
        assert.deepEqual(kept.listDocuments("account"), [
          { id: "a", document: { n: 1.5 } },
          { id: "b", document: account },
        ])
        assert.deepEqual(kept.listDocuments("key"), [{ id: "a", document: "text" }])
        const counts = ["account", "acc", "key", "", "keys"].map((it) => kept.countDocuments(it))
        assert.deepEqual(counts, [2, 2, 1, 3, 0])
      }
      check(trial.subject)
      await trial.pass("reopen")
      check(trial.subject)
      trial.subject.writer.putDocuments([{ kind: "account", id: "b", document: null }])
      trial.subject.writer.putDocuments([{ kind: "account", id: "a", document: [1, 2] }])
      trial.subject.writer.putDocuments([{ kind: "account", id: "nobody", document: null }])
      await trial.pass("reopen")
      assert.equal(trial.subject.writer.getDocument("account", "b") ?? null, null)
      const left = trial.subject.writer.listDocuments("account")
      assert.deepEqual(left, [{ id: "a", document: [1, 2] }])
      assert.deepEqual(trial.subject.writer.listDocuments("unknown"), [])
    })
  })

  test("a document is what it was when it was put, whatever its owner does to it", async () => {
    await withTrial(open, (trial) => {
      const { writer } = trial.subject
      const document = { list: [1] }
      writer.putDocuments([{ kind: "kind", id: "id", document: document }])
      document.list.push(2)
      assert.deepEqual(writer.getDocument("kind", "id"), { list: [1] })
    })
  })

  test("any sequence of puts and removals leaves what a map would hold", async () => {
    const put = fc.tuple(
      fc.constantFrom("a", "ab", "b", "-"),
      fc.constantFrom("1", "10", "2", "ä", "x".repeat(200)),
      fc.oneof(fc.constant(null), documentArbitrary),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(put, { maxLength: 15 }), fc.boolean(), (puts, reopens) =>
        withTrial(open, async (trial) => {
          for (const [kind, id, document] of puts) {
            trial.subject.writer.putDocuments([{ kind: kind, id: id, document: document }])
            trial.model.putDocuments([{ kind: kind, id: id, document: document }])
          }
          if (reopens) await trial.pass("reopen")
          for (const kind of ["a", "ab", "b", "-"]) {
            const want = trial.model.listDocuments(kind)
            assert.deepEqual(trial.subject.writer.listDocuments(kind), want)
            const first = trial.subject.writer.listDocuments(kind, { from: "10", limit: 2 })
            assert.deepEqual(first, want.filter(({ id }) => id >= "10").slice(0, 2))
          }
        }),
      ),
      property,
    )
  })
}

/** Values that JSON can represent; it has one zero. Our documents have no key of that name. */
const documentArbitrary = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !text.includes("__proto__"))
  .map((text): unknown => JSON.parse(text))

function memory(element: string, timeMs: number) {
  return plain(timeMs, timeMs % 1000, seriesName(element, "memory.used"))
}

export function describeTwoHosts({ writer }: OpenedStore): void {
  const { catalogue } = writer
  const web = catalogue.upsertElement(0, "web-1", {
    name: "Web 1",
    type: "SERVER",
    tags: [{ name: "stage", value: "live" }],
    attributes: [{ name: "ram", value: "64 GB" }],
    relations: ["db-1"],
    nowMs: noonMs,
  })
  catalogue.upsertSeries(web, "cpu.total", { unit: "%", type: "GAUGE", name: "CPU" })
  catalogue.upsertSeries(web, "requests", { type: "COUNTER", tags: [{ name: "t", value: "v" }] })
  const db = catalogue.upsertElement(1, "db-1", { nowMs: noonMs + 5 })
  catalogue.upsertSeries(db, "cpu.total")
  append(writer)
}

function definitionOf({ reader }: OpenedStore, metric: string): [string, string] {
  const series = findSeries(reader.catalogue, seriesName("web-1", metric))
  const { unit, type } = reader.catalogue.seriesDefinition(series)
  return [unit, type]
}
