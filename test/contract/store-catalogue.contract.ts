/** Laws of the catalogue and of documents: what is known survives, and readers see it. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import { partitionSeriesMax } from "../../src/base/limits.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { cycleMs, hourMs } from "../../src/model/resolution.ts"
import { findSeries, noonMs, plain, seriesName, shuffled } from "../support/ingest/samples.ts"
import type { SeriesName } from "../support/ingest/samples.ts"
import type { CatalogueEdit } from "../../src/model/records/catalogue-edit.ts"
import { everything, stages, withTrial } from "./store-harness.ts"
import type { Contract, Trial } from "./store-harness.ts"

export function catalogueContract({ open }: Contract): void {
  test("names of one append are kept next to those that the next one adds", async () => {
    await withTrial(open, async (trial) => {
      await trial.edit(describeTwoHosts)
      await trial.pass("reopen")
      await trial.edit((catalogue) => {
        const element = catalogue.findElement(0, "web-1")
        catalogue.upsertElement(0, "web-1", { location: "Zürich", nowMs: noonMs + 1 })
        catalogue.upsertSeries(element, "cpu.total", { unit: "percent" })
        catalogue.upsertSeries(element, "load.1")
      })
      const catalogue = await trial.subject.catalogue()
      const element = catalogue.findElement(0, "web-1")
      const { name, location, tags, createdMs } = catalogue.elementInfo(element)
      assert.deepEqual([name, location, createdMs], ["Web 1", "Zürich", noonMs])
      assert.deepEqual(tags, [{ name: "stage", value: "live" }])
      assert.deepEqual(definitionOf(catalogue, "cpu.total"), ["percent", "GAUGE"])
      assert.equal(catalogue.elementSeries(element).length, 3)
      await agreeOnCatalogue(trial)
    })
  })

  test("what people change is kept by the next append, and the reader sees it", async () => {
    await withTrial(open, async (trial) => {
      await trial.edit(describeTwoHosts)
      const of = { tenant: 0, element: "web-1", nowMs: noonMs }
      const set = [{ name: "owner", value: "ops" }]
      const change = async (...edits: CatalogueEdit[]) => {
        await trial.edit((catalogue) => {
          for (const one of edits) applyEdit(catalogue, one)
        })
        await agreeOnCatalogue(trial)
      }
      const tags = { ...of, kind: "tags", set, remove: null } as const
      await change({ ...tags, metric: null }, { ...tags, metric: "requests" })
      await change({ ...of, kind: "removeElement" })
      await trial.pass("reopen")
      await agreeOnCatalogue(trial)
      const catalogue = await trial.subject.catalogue()
      const element = catalogue.findElement(0, "web-1")
      assert.equal(catalogue.isDeleted(element), true)
      assert.deepEqual(catalogue.elementInfo(element).serviceTags, set)
      const series = findSeries(catalogue, seriesName("web-1", "requests"))
      assert.deepEqual(catalogue.seriesDefinition(series).serviceTags, set)
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
        await trial.append(some.map((name, n) => plain(timeMs, n + cycle / 4, name)))
        await trial.append(some.slice(0, 300).map(({ element }, n) => memory(element, timeMs + n)))
      }
      const count = trial.model.catalogue.seriesCount
      const series = Int32Array.from(shuffled([...Array(count).keys()], 11))
      for (const stage of stages) {
        await trial.pass(stage, noonMs + hourMs)
        for (const resolution of ["ZERO", "PT5M", "PT1H", "PT24H"] as const) {
          const asked = { series, resolution, withValues: true, exact: false }
          await trial.agreeOnStatistics({ ...asked, span: everything })
          await trial.agreeOnStatistics({
            ...asked,
            series: series.subarray(5, 9),
            span: everything,
          })
          const span = { startMs: noonMs - 2 * cycleMs, endMs: noonMs - 1 }
          await trial.agreeOnStatistics({ ...asked, span })
        }
      }
    })
  })

  test("many metric names of one element do not disturb each other", async () => {
    await withTrial(open, async (trial) => {
      const names = Array.from({ length: 40 }, (_, n) => seriesName("host-1", `metric.${n}`))
      await trial.append(names.map((of, n) => plain(noonMs - 1, n, of)))
      await trial.append(
        names.filter((_, n) => n % 7 === 0).map((of, n) => plain(noonMs - hourMs, n, of)),
      )
      for (const stage of stages) {
        await trial.pass(stage, noonMs + hourMs)
        await trial.agree()
      }
    })
  })

  test("two tenants with the same names have nothing in common", async () => {
    await withTrial(open, async (trial) => {
      const of = (tenant: number): SeriesName => seriesName("host-1", "cpu.total", tenant)
      await trial.append([
        plain(noonMs, 1, of(0)),
        plain(noonMs, 2, of(1)),
        plain(noonMs, 3, of(1)),
      ])
      for (const stage of stages) {
        await trial.pass(stage)
        const [mine, theirs] = [0, 1].map((tenant) => findSeries(trial.model.catalogue, of(tenant)))
        const asked = { span: everything, resolution: "ZERO", withValues: false } as const
        const series = Int32Array.of(theirs!, mine!)
        const answers = await trial.statistics({ ...asked, series, exact: false })
        assert.deepEqual(
          answers.map(({ statistics }) => statistics.sum),
          [5, 1],
        )
      }
    })
  })
}

export function documentContract({ open, runs }: Contract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  test("a document is got as it was put, listed by id and gone when removed", async () => {
    await withTrial(open, async (trial) => {
      const { documents } = trial.subject
      const account = {
        name: "Ünïcode",
        roles: ["a"],
        limit: null,
        since: noonMs,
        nested: { on: true },
      }
      await documents.put("account", "b", account)
      await documents.put("account", "a", { n: 1.5 })
      await documents.put("key", "a", "text")
      const check = async () => {
        assert.deepEqual(await documents.get("account", "b"), account)
        assert.deepEqual(await documents.list("account"), [
          { id: "a", document: { n: 1.5 } },
          { id: "b", document: account },
        ])
        assert.deepEqual(await documents.list("key"), [{ id: "a", document: "text" }])
        const counts = ["account", "acc", "key", "", "keys"].map((it) =>
          trial.subject.countDocuments(it),
        )
        assert.deepEqual(await Promise.all(counts), [2, 2, 1, 3, 0])
      }
      await check()
      await trial.pass("reopen")
      await check()
      await documents.putAll([
        { kind: "account", id: "b", document: null },
        { kind: "account", id: "a", document: [1, 2] },
        { kind: "account", id: "nobody", document: null },
      ])
      await trial.pass("reopen")
      assert.equal((await documents.get("account", "b")) ?? null, null)
      assert.deepEqual(await documents.list("account"), [{ id: "a", document: [1, 2] }])
      assert.deepEqual(await documents.list("unknown"), [])
    })
  })

  test("a document is what it was when it was put, whatever its owner does to it", async () => {
    await withTrial(open, async (trial) => {
      const { documents } = trial.subject
      const document = { list: [1] }
      await documents.put("kind", "id", document)
      document.list.push(2)
      assert.deepEqual(await documents.get("kind", "id"), { list: [1] })
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
            await trial.subject.documents.put(kind, id, document)
            trial.model.putDocuments([{ kind, id, document }])
          }
          if (reopens) await trial.pass("reopen")
          for (const kind of ["a", "ab", "b", "-"]) {
            const want = trial.model.listDocuments(kind)
            assert.deepEqual(await trial.subject.documents.list(kind), want)
            const first = await trial.subject.documents.list(kind, { from: "10", limit: 2 })
            assert.deepEqual(first, want.filter(({ id }) => id >= "10").slice(0, 2))
            const range = { from: "1", to: "2", limit: 2, isReversed: true }
            const last = await trial.subject.documents.list(kind, range)
            const inside = want.filter(({ id }) => id >= "1" && id < "2")
            assert.deepEqual(last, inside.reverse().slice(0, 2))
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

export function describeTwoHosts(catalogue: Catalogue): void {
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
}

/** The model's elements and metrics are known to the subject as the model has them. */
async function agreeOnCatalogue(trial: Trial): Promise<void> {
  const { model } = trial
  const catalogue = await trial.subject.catalogue()
  for (let element = 0; element < model.catalogue.elementCount; element++) {
    const names = [model.catalogue.elementTenant(element), model.catalogue.elementFqn(element)]
    const [tenant, fqn] = names as [number, string]
    const found = catalogue.findElement(tenant, fqn)
    assert.deepEqual(elementContent(catalogue, found), elementContent(model.catalogue, element))
  }
}

/** An element and its metrics as plain data, without their numbers. */
function elementContent(catalogue: Catalogue, element: number): unknown {
  const metrics = Array.from(catalogue.elementSeries(element), (series) => {
    const { fqn } = catalogue.name(catalogue.seriesName(series))
    return [fqn, catalogue.seriesDefinition(series)] as const
  })
  return { info: catalogue.elementInfo(element), metrics: Object.fromEntries(metrics) }
}

function definitionOf(catalogue: Catalogue, metric: string): [string, string] {
  const series = findSeries(catalogue, seriesName("web-1", metric))
  const { unit, type } = catalogue.seriesDefinition(series)
  return [unit, type]
}
