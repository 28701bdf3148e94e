/**
 * `npm run demo:serve` on a small fleet. The two weeks take a minute: the quick size is interrupted
 * while they pass.
 */

import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { test } from "node:test"
import { demonstrate } from "../support/project/demo.ts"
import { isLongRun } from "../support/run/sizes.ts"

interface Served {
  readonly url: string
  readonly authorization: string
  readonly output: () => string
}

/** Runs the demonstration until `look` is done with what it has printed. */
async function serve(mark: RegExp, look: (served: Served) => Promise<void>): Promise<number> {
  const stopping = new AbortController()
  let output = ""
  let looking: Promise<void> | null = null
  const print = (text: string): void => {
    output += text
    if (looking !== null || !mark.test(output)) return
    const [, url = "", password = ""] = /or (\S+)\/app\/ as .* password (\S+)/.exec(output) ?? []
    const credentials = Buffer.from(`demo@example.com:${password}`).toString("base64")
    const served = { url, authorization: `Basic ${credentials}`, output: () => output }
    looking = look(served).finally(() => stopping.abort())
  }
  const options = { serve: "", elements: "8", metrics: "8", port: "0" }
  const status = await demonstrate(options, print, stopping.signal)
  assert.ok(looking !== null, output)
  await looking
  return status
}

test("interrupted while the weeks pass, it ends in order", { skip: isLongRun }, async () => {
  let output = ""
  const status = await serve(/two weeks/i, async (served) => void (output = served.output()))
  assert.equal(status, 1)
  assert.match(output, /^Two weeks of 8 elements/)
})

test(
  "it leaves a server with two weeks of values, incidents and notes",
  { skip: !isLongRun },
  async () => {
    const status = await serve(/Ctrl C/, async ({ url, authorization, output }) => {
      const get = async (path: string) => {
        const response = await fetch(url + path, { headers: { authorization } })
        assert.equal(response.status, 200, path)
        return response.json()
      }
      const { incidents } = (await get("/incidents?limit=1000")) as {
        incidents: { closed: boolean }[]
      }
      assert.ok(incidents.filter(({ closed }) => closed).length >= 3, JSON.stringify(incidents))
      assert.ok(incidents.filter(({ closed }) => !closed).length >= 1, JSON.stringify(incidents))
      const { total } = (await get("/events?q=Deployed&total=true&limit=1&duration=P14D")) as {
        total: number
      }
      assert.equal(total, 4)
      const [, link = ""] = /(\S+sign-in#\S{43}) \(valid once\)/.exec(output()) ?? []
      const headers = { "Content-Type": "application/json", "X-Tidegauge-Request": "1" }
      const body = JSON.stringify({ link: link.split("#")[1] })
      const session = await fetch(`${url}/sessions`, { method: "POST", headers, body })
      assert.equal(session.status, 201)
      const [, folder = ""] = /store is in (\S+);/.exec(output()) ?? []
      assert.ok(existsSync(folder))
    })
    assert.equal(status, 1)
  },
)
