/**
 * `npm run demo:serve` on a small fleet: half a day of it in the quick size, two weeks in the long
 * one.
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
async function serve(
  { days, mark }: { readonly days: string; readonly mark: RegExp },
  look: (served: Served) => Promise<void>,
): Promise<number> {
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
  const options = { serve: "", days, elements: "8", metrics: "8", port: "0" }
  const status = await demonstrate(options, print, stopping.signal)
  assert.ok(looking !== null, output)
  await looking
  return status
}

interface Listed {
  readonly policyName: string
  readonly elementName: string
  readonly closed: boolean
}

/** Asks the demonstration's server. */
async function ask<Answer>({ url, authorization }: Served, path: string): Promise<Answer> {
  const response = await fetch(url + path, { headers: { authorization } })
  assert.equal(response.status, 200, path)
  return (await response.json()) as Answer
}

async function incidentsOf(served: Served, isClosed: boolean): Promise<readonly string[]> {
  const answer = await ask<{ incidents: Listed[] }>(served, "/incidents?limit=1000")
  const found = answer.incidents.filter(({ closed }) => closed === isClosed)
  return found.map(({ elementName, policyName }) => `${elementName} ${policyName}`).sort()
}

const goingOn = ["shop-03 Many errors", "shop-03 Slow answers"]

test("interrupted while the days pass, it ends in order", { skip: isLongRun }, async () => {
  let output = ""
  const half = { days: "0.5", mark: /of 8 elements pass/ }
  const status = await serve(half, async (served) => void (output = served.output()))
  assert.equal(status, 1)
  assert.match(output, /^0\.5 days of 8 elements pass/m)
})

test("its incidents are those of the scenario", { skip: isLongRun }, async () => {
  const status = await serve({ days: "0.5", mark: /Ctrl C/ }, async (served) => {
    assert.deepEqual(await incidentsOf(served, false), goingOn)
    assert.deepEqual(await incidentsOf(served, true), [
      "shop-08 Appears to be down",
      "shop-08 Many errors",
      "shop-08 Slow answers",
    ])
    assert.match(served.output(), / {2}100 % {2}[\d,]+ of [\d,]+ cycles\n/)
  })
  assert.equal(status, 1)
})

test(
  "it leaves a server with two weeks of values, incidents and notes",
  { skip: !isLongRun },
  async () => {
    const status = await serve({ days: "14", mark: /Ctrl C/ }, async (served) => {
      const { url, output } = served
      const [open, closed] = [await incidentsOf(served, false), await incidentsOf(served, true)]
      assert.ok(closed.length >= 3, closed.join())
      assert.ok(
        goingOn.every((one) => open.includes(one)),
        open.join(),
      )
      assert.ok(
        open.every((one) => one.startsWith("shop-03 ")),
        open.join(),
      )
      const events = "/events?q=Deployed&total=true&limit=1&duration=P14D"
      assert.equal((await ask<{ total: number }>(served, events)).total, 4)
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
