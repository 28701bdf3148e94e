/** Bytes of text are bounded: of an element, of a metric's definition, of a tenant. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { entityTextBytesMax } from "../../src/base/limits.ts"
import { applyEdit } from "../../src/catalogue/edit.ts"
import { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { IngestOutcome } from "../../src/ingest/ingest.ts"
import { definitionTextBytes, elementTextBytes, utf8Bytes } from "../../src/model/text-bytes.ts"
import { element, nowMs, Reading, sample } from "../ingest/reading.ts"

const limits = { seriesMax: 1_000, newSeriesPerMinuteMax: 1e6, textBytesMax: Infinity }
const reading = (textBytesMax = Infinity) =>
  new Reading({ cardinality: { ...limits, textBytesMax } })

function errorsOf(outcome: IngestOutcome): string {
  const refusal = outcome.ok ? outcome.refused : outcome
  assert.ok(refusal !== undefined, "Expected a refusal")
  return `${refusal.detail}: ${refusal.errors.join()}`
}

const tagsOf = (count: number, length: number, letter = "x") =>
  Array.from({ length: count }, (_, i) => ({ name: `t${i}`, value: letter.repeat(length) }))

test("bytes of a text are those of its UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(utf8Bytes(text), Buffer.byteLength(text))
    }),
  )
})

test("an element's text is bounded, in one post or in many (A5)", () => {
  for (const scanner of [true, false]) {
    const r = new Reading({ cardinality: limits, scanner })
    const flood = [element({ id: "web", tags: tagsOf(256, 4000), samples: [] })]
    assert.match(errorsOf(r.read(flood)), /element.*1\d{6} bytes, at most 65536 fit/)
    assert.equal(r.catalogue.elementCount, 0)
    assert.ok(r.read([element({ id: "web", tags: tagsOf(100, 600) })]).ok)
    const more = [element({ id: "web", attributes: tagsOf(20, 600), samples: [] })]
    assert.match(errorsOf(r.read(more)), /"web".*known ones included/)
    const location = [{ id: "web", location: "é".repeat(4000) }]
    assert.match(errorsOf(r.read(location)), /at most 65536 fit/)
    assert.ok(r.read([element({ id: "web", tags: tagsOf(100, 600) })]).ok, "what is known goes on")
    const metric = [element({ id: "web", metrics: [{ id: "m", tags: tagsOf(200, 400) }] })]
    assert.match(errorsOf(r.read(metric)), /metric m, known ones included/)
  }
})

test("the text of a tenant is bounded; known series go on, other tenants have their own", () => {
  const r = reading(100_000)
  const post = (id: string) => [element({ id, tags: tagsOf(40, 1000) })]
  assert.ok(r.read(post("a")).ok)
  assert.ok(r.read(post("b")).ok)
  const before = r.known()
  const problem = errorsOf(r.read(post("c")))
  assert.match(problem, /^Text Limit Exceeded: The body brings \d+ bytes of text to \d+ known/)
  assert.match(problem, /limit of 100000 bytes \(--text-bytes-limit\)/)
  assert.deepEqual(r.known(), before)
  assert.ok(r.read(post("a")).ok)
  assert.ok(r.read([element({ id: "a", tags: [{ name: "t1", value: "y" }] })]).ok, "less text")
  assert.ok(r.read(post("c"), { tenant: 1 }).ok)
})

test("definitions that change count again, and so does each name of a metric", () => {
  const r = reading(50_000)
  const isWhole = (outcome: IngestOutcome) => outcome.ok && outcome.refused === undefined
  const says = (unit: string) =>
    r.read([element({ metrics: [{ id: "cpu", unit, tags: tagsOf(10, 1000) }] })])
  let units = 0
  while (units < 100 && isWhole(says(`u${units}`))) units++
  assert.ok(units >= 3 && units <= 5, `${units}`)
  assert.ok(isWhole(says("u0")), "a known definition goes on")
  let names = 0
  const named = () => [element({ samples: [sample({ metricId: `${"n".repeat(500)}${names}` })] })]
  while (names < 1000 && isWhole(r.read(named()))) names++
  assert.ok(names < 100, `${names}`)
})

test("text is counted exactly, through changes, deletions and loading", () => {
  const tag = fc.record({
    name: fc.constantFrom("a", "b", "é"),
    value: fc.string({ unit: "grapheme" }),
  })
  const post = fc.record({
    id: fc.constantFrom("web-1", "web-2"),
    name: fc.string(),
    tags: fc.array(tag, { maxLength: 3 }),
    metrics: fc.array(fc.record({ id: fc.constantFrom("m", "n"), tags: fc.array(tag) }), {
      maxLength: 2,
    }),
    isDeleted: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(post, { maxLength: 8 }), (posts) => {
      const r = reading()
      for (const { isDeleted, ...one } of posts) {
        r.read([element({ ...one, samples: [] })])
        const of = { tenant: 0, element: one.id, nowMs }
        if (isDeleted) applyEdit(r.catalogue, { ...of, kind: "removeElement" })
      }
      assert.deepEqual(countOf(r.catalogue), recountOf(r.catalogue))
      assert.deepEqual(countOf(loaded(r.catalogue)), recountOf(r.catalogue))
    }),
    { numRuns: 300 },
  )
})

test("deletions give text back, and people's tags count as those of collectors", () => {
  const r = reading()
  r.read([element({ id: "web", tags: tagsOf(10, 1000), samples: [] })])
  const of = { tenant: 0, element: "web", nowMs }
  const before = r.catalogue.textBytes.tenantBytes(0)
  const tags = { ...of, kind: "tags", metric: null, set: tagsOf(10, 1000), remove: null } as const
  assert.throws(() => applyEdit(r.catalogue, tags, before + 5_000), /--text-bytes-limit/)
  const many = { ...tags, set: tagsOf(100, 1000) }
  assert.throws(
    () => applyEdit(r.catalogue, many),
    new RegExp(`at most ${entityTextBytesMax} bytes`),
  )
  applyEdit(r.catalogue, tags, before + 20_000)
  assert.ok(r.catalogue.textBytes.tenantBytes(0) > before + 10_000)
  applyEdit(r.catalogue, { ...tags, set: [], remove: "t0" }, 0)
  applyEdit(r.catalogue, { ...of, kind: "removeElement" }, 0)
  assert.ok(r.catalogue.textBytes.tenantBytes(0) < before)
})

test("equal texts of elements are kept once", () => {
  const r = reading()
  for (const id of ["a", "b"]) r.read([element({ id, type: "server", tags: tagsOf(3, 50) })])
  const [a, b] = [r.catalogue.elementInfo(0), r.catalogue.elementInfo(1)]
  assert.equal(a.tags.length, 3)
  for (const [i, tag] of a.tags.entries()) assert.ok(tag === b.tags[i])
})

function countOf({ textBytes }: Catalogue) {
  return { own: textBytes.tenantBytes(0), shared: textBytes.sharedBytes }
}

/** The expected count, from all entries. */
function recountOf(catalogue: Catalogue) {
  let [own, shared] = [0, 0]
  for (let name = 0; name < catalogue.nameCount; name++) own += catalogue.name(name).fqn.length
  for (let at = 0; at < catalogue.elementCount; at++) {
    if (catalogue.isDeleted(at)) continue
    own += elementTextBytes(catalogue.elementFqn(at), catalogue.elementInfo(at))
  }
  for (let at = 0; at < catalogue.definitionCount; at++) {
    shared += definitionTextBytes(catalogue.definition(at))
  }
  return { own, shared }
}

/** The same catalogue as a start loads it. */
function loaded(from: Catalogue): Catalogue {
  const catalogue = new Catalogue()
  for (let name = 0; name < from.nameCount; name++) catalogue.loadName(from.name(name))
  for (let at = 0; at < from.definitionCount; at++) catalogue.loadDefinition(from.definition(at))
  for (let at = 0; at < from.elementCount; at++) catalogue.loadElement(at, from.storedElement(at))
  return catalogue
}
