import assert from "node:assert/strict"
import { test } from "node:test"
import { isLongRun } from "../support/run/sizes.ts"
import { brokenUnreadLaws, unreadRun, unreadText } from "./unread-run.ts"

test("answers that no client reads take no more memory than they may", async (t) => {
  const options = { connections: 12, answersMiB: 64, judgesMemory: isLongRun }
  const result = await unreadRun(options)
  for (const line of unreadText(result).split("\n")) t.diagnostic(line)
  assert.deepEqual(brokenUnreadLaws(result, options), [])
})
