/**
 * Blocks and slots are the layout of the embedded store: neither the rest of the code
 * nor the reference store has identifiers of them.
 */

import assert from "node:assert/strict"
import { test } from "node:test"
import { bannedIdentifiers } from "./language.ts"
import { readSources } from "./sources.ts"

const layoutWords = ["block", "blocks", "slot", "slots"]
const embeddedStore = "src/store/lmdb/"

/** The same words of other domains, as `path: identifier`. */
const otherMeanings: readonly { readonly pattern: RegExp; readonly meaning: string }[] = [
  {
    pattern: /^src\/(analysis\/|cycle\/(element-states|rows)\.ts: )/,
    meaning: "a time of the day or of the week with a baseline of its own",
  },
  {
    pattern: /^src\/(catalogue\/(intern|series)-table|query\/core\/metric-id-index)\.ts: /,
    meaning: "an entry of a hash table",
  },
  {
    pattern: /^src\/ingest\/scanner\//,
    meaning: "an entry of a cache that is addressed by a hash, or of a document's shape",
  },
  {
    pattern: /^src\/rollup\/encoding\/column-block\.ts: /,
    meaning: "the unit of the compression of cells, whose caller chooses what its slots are",
  },
  {
    pattern: /^src\/base\/limits\.ts: seriesPerBlock$/,
    meaning: "limits of the embedded store, in the one file of limits",
  },
  {
    pattern: /^src\/(accounts|packages|http\/api\/routes)\/[\w-]+\.ts: \w*(hash|archive)Slots?$/i,
    meaning: "a permit of a semaphore",
  },
  { pattern: /^src\/engine\/disk\.ts: blocks$/, meaning: "a field of statfs" },
  {
    pattern: /^src\/http\/live\/trusted-proxies\.ts: BlockList$/,
    meaning: "a class of node:net that matches addresses",
  },
]

const referenceStore = "test/support/reference-store/"
const found = [...readSources("src"), ...readSources("test")]
  .filter(({ path }) => path.startsWith("src/") || path.startsWith(referenceStore))
  .filter(({ path }) => !path.startsWith(embeddedStore))
  .flatMap((source) => bannedIdentifiers(source, layoutWords))

test("no identifier outside the embedded store names its blocks and slots", () => {
  const leaks = found.filter((entry) => !otherMeanings.some(({ pattern }) => pattern.test(entry)))
  assert.deepEqual(leaks, [])
})

test("every other meaning of a block or slot is in use", () => {
  const unused = otherMeanings.filter(({ pattern }) => !found.some((entry) => pattern.test(entry)))
  assert.deepEqual(unused, [])
})
