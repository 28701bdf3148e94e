import assert from "node:assert/strict"
import { test } from "node:test"
import { isLongRun } from "../support/run/sizes.ts"
import { brokenUnreadLaws, unreadQueries, unreadRun, unreadText } from "./unread-run.ts"

/** 600,000 values take seconds to post. */
const queries = isLongRun ? unreadQueries : (["elements"] as const)

for (const query of queries) {
  test(`answers (${query}) that no client reads take no more memory than they may`, async (t) => {
    const options = { query, connections: 12, answersMiB: 64, judgesMemory: isLongRun }
    const result = await unreadRun(options)
    for (const line of unreadText(result).split("\n")) t.diagnostic(line)
    assert.deepEqual(brokenUnreadLaws(result, options), [])
  })
}
