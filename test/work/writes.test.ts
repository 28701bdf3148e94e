/** Reads and writes of flushes and compactions. */

import { test } from "node:test"
import { folderOf, writing } from "../support/store/lmdb-folder.ts"
import { fillSteps } from "./filled-store.ts"
import { countReads, countWrites } from "./store-work.ts"
import { assertWork, Counts } from "./work-file.ts"

test("flushes and compactions read and write what the file says, and no more", async (t) => {
  const [read, written] = [new Counts(), new Counts()]
  const work: Record<string, string> = {}
  await writing(folderOf(t), (writer) => {
    countReads(t, read)
    countWrites(t, written)
    for (const step of fillSteps) {
      step.work(writer)
      const [reads, writes] = [read.take(), written.take()]
      if (writes !== "none")
        Object.assign(work, { [`${step.name}, reads`]: reads, [`${step.name}, writes`]: writes })
    }
  })
  assertWork("writes.json", work)
})
