/**
 * Laws of the embedded catalogue: writer, readers and a reopened store give one name one number.
 * Stores that several processes write number series for each process.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { append, findSeries, noonMs, plain, seriesName } from "../support/ingest/samples.ts"
import { seriesArbitrary } from "./store-arbitraries.ts"
import { describeTwoHosts } from "./store-catalogue.contract.ts"
import { refresh } from "./store-driver.ts"
import { catalogueContent, withHalves } from "./store-harness.ts"
import type { EmbeddedContract } from "./store-harness.ts"

export function numberingContract({ open, runs }: EmbeddedContract): void {
  const property = { numRuns: Math.max(3, runs >> 2) }

  test("elements, metrics and definitions survive reopening with the same indexes", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      await trial.edit(describeTwoHosts)
      const before = catalogueContent(halves().writer.catalogue)
      for (let time = 0; time < 2; time++) {
        await trial.pass("reopen")
        const { writer, reader } = halves()
        assert.deepEqual(catalogueContent(writer.catalogue), before)
        refresh(halves())
        assert.deepEqual(catalogueContent(reader.catalogue), before)
        assert.equal(writer.catalogue.hasChanges(), false)
      }
    })
  })

  test("a refreshed reader knows every element, and a definition that changed", async () => {
    await withHalves(open, async ({ trial, halves }) => {
      const { writer, reader } = halves()
      for (let n = 0; n < 5; n++) {
        await trial.append([plain(noonMs, n, seriesName(`host-${n}`, "cpu.total"))])
        refresh(halves())
        assert.deepEqual(catalogueContent(reader.catalogue), catalogueContent(writer.catalogue))
      }
      const series = findSeries(writer.catalogue, seriesName("host-2", "cpu.total"))
      await trial.declare([seriesName("host-2", "cpu.total")], {
        sparseDataStrategy: "ReplaceWithLast",
      })
      append(writer)
      refresh(halves())
      const { sparseDataStrategy } = reader.catalogue.seriesDefinition(series)
      assert.equal(sparseDataStrategy, "ReplaceWithLast")
    })
  })

  test("any order of new names gives writer, reader and reopened store one catalogue", async () => {
    const names = fc.array(
      fc.oneof(
        seriesArbitrary,
        fc.record({
          tenant: fc.integer({ min: 0, max: 3 }),
          element: fc.constantFrom("a", "b", "c", "d-e_f.g"),
          metric: fc.constantFrom("m", "n", "o.p"),
        }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 4 }), (groups) =>
        withHalves(open, async ({ trial, halves }) => {
          for (const group of groups) await trial.append(group.map((of, i) => plain(noonMs, i, of)))
          const want = catalogueContent(trial.model.catalogue)
          refresh(halves())
          assert.deepEqual(catalogueContent(halves().writer.catalogue), want)
          assert.deepEqual(catalogueContent(halves().reader.catalogue), want)
          await trial.pass("reopen")
          refresh(halves())
          assert.deepEqual(catalogueContent(halves().writer.catalogue), want)
          assert.deepEqual(catalogueContent(halves().reader.catalogue), want)
          await trial.agree()
        }),
      ),
      property,
    )
  })
}
