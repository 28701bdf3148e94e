import assert from "node:assert/strict"
import { test } from "node:test"
import { firstStartText } from "../../src/command/account/first-start-text.ts"
import { runVerify } from "../../src/command/store/verify.ts"

test("verify prints each difference and a sum; its status says whether any was found", async () => {
  const f = async (problems: string[], status: number) => {
    const printed: string[] = []
    const verifyStore = async () => ({ compared: 12, problems })
    const print = (text: string) => void printed.push(text)
    assert.equal(await runVerify("store", { verifyStore, print }), status)
    assert.deepEqual(printed, [...problems, `store: 12 values compared, ${problems.length} differ`])
  }

  await f([], 0)
  await f(["hours of day 3, block 0: missing"], 1)
})

test("the first start prints its secrets and two commands that hold them", () => {
  const first = { adminEmail: "a@example.com", adminPassword: "pass word", apiKey: "k".repeat(32) }
  const text = firstStartText("http://127.0.0.1:8080", first as never)
  assert.ok(text.includes(`curl -X POST http://127.0.0.1:8080/ingest/${first.apiKey}`))
  assert.ok(text.includes("curl -u 'a@example.com:pass word'"))
})
