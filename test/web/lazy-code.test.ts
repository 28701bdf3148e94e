/** Code that is loaded later: what fails, what is loaded ahead, and which build a server has. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { loadAhead } from "../../src/web/frame/code/load-ahead.ts"
import { LoadedBuild } from "../../src/web/frame/code/loaded-build.ts"
import { isCodeMissing, lazyCode } from "../../src/web/platform/code.ts"

const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test("code that is not needed yet is loaded ahead, one module after the other", async () => {
  const loaded: string[] = []
  const code = (name: string) => lazyCode(async () => loaded.push(name))
  const [needed] = ["needed", "first", "second", "third"].map(code)
  await needed!()
  const waiting: (() => void)[] = []
  let isAllowed = false
  const after = (_ms: number, callback: () => void) => {
    waiting.push(callback)
    return () => undefined
  }
  const pass = async () => {
    waiting.shift()?.()
    await settle()
  }
  loadAhead({ after, mayLoad: () => isAllowed })
  await pass()
  assert.deepEqual(loaded, ["needed"])
  isAllowed = true
  await pass()
  assert.deepEqual(loaded, ["needed", "first"])
  await pass()
  await pass()
  assert.deepEqual(loaded, ["needed", "first", "second", "third"])
  await pass()
  assert.equal(waiting.length, 0)
  lazyCode(() => Promise.reject(new Error("gone")))
  code("last")
  loadAhead({ after, mayLoad: () => isAllowed })
  await pass()
  assert.equal(waiting.length, 0)
  assert.equal(isCodeMissing.peek(), false)
})

test("code that is needed and fails is missing, with a sentence for people", async () => {
  const load = lazyCode(() => Promise.reject(new TypeError("Failed to fetch main-X.js")))
  await assert.rejects(load, /^Error: A part of the pages could not be loaded$/)
  assert.equal(isCodeMissing.peek(), true)
})

test("a server has another build if it names other files, and none if it is not ours", async () => {
  const page = (name: string) => `<link rel="stylesheet" href="main-S.css"><script src="${name}">`
  let answer: () => Response = () => Response.error()
  let reloads = 0
  const build = new LoadedBuild({
    askPage: async () => answer(),
    files: ["main-A.js", "main-S.css"],
    reload: () => reloads++,
  })
  const ask = async (next: () => Response) => {
    answer = next
    return [await build.check(), build.isOutdated.peek()]
  }
  assert.deepEqual(await ask(() => new Response(page("main-A.js"))), [true, false])
  assert.deepEqual(await ask(() => new Response(page("main-B.js"))), [true, true])
  assert.deepEqual(await ask(() => new Response(page("main-A.js"))), [true, false])
  const others: (() => Response)[] = [
    () => new Response('<script src="sign-in.js"></script>'),
    () => new Response(page("main-B.js"), { status: 502 }),
    () => {
      throw new TypeError("Failed to fetch")
    },
  ]
  for (const other of others) assert.deepEqual(await ask(other), [false, false])
  assert.equal(await build.reload(), false)
  assert.equal(reloads, 0)
  answer = () => new Response(page("main-B.js"))
  assert.equal(await build.reload(), true)
  assert.equal(reloads, 1)
})
