import assert from "node:assert/strict"
import { test } from "node:test"
import { runSeed } from "../support/run/seed.ts"
import { isLongRun, sized } from "../support/run/sizes.ts"
import { cutPower } from "./power-cut.ts"

const stories = sized({ quick: 1, long: 5 })
const imagesPerStory = sized({ quick: 40, long: 100 })

test("after a power cut every image opens with all that was acknowledged before", async (t) => {
  const from = runSeed % 1_000_000_000
  t.diagnostic(`seeds ${from} to ${from + stories - 1}, ${imagesPerStory} images each`)
  const names = new Set<string>()
  for (let seed = from; seed < from + stories; seed++) {
    for (const name of await cutPower(seed, imagesPerStory)) names.add(name)
  }
  const expected = [
    "append",
    "index-flush",
    "flush",
    "compaction",
    "recompaction",
    "recovery",
    "rewrite",
  ]
  const missed = expected.filter((name) => !names.has(name))
  // One story may be without a compaction.
  if (isLongRun) assert.deepEqual(missed, [])
  else assert.ok(names.has("append"))
})
