/** The demonstration that stays: the open incidents are those of its scenario. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { DemoClient, DemoError } from "../../bench/demo/demo-client.ts"
import { serveFleet } from "../../bench/demo/serve-demo.ts"
import { systemClock } from "../../src/base/clock.ts"
import { deliveredProgram } from "../support/project-paths.ts"
import { seededRandom } from "../support/run/seeded-random.ts"

interface Listed {
  readonly policyName: string
  readonly elementName: string
  readonly tsClosed: string | null
}

test("after the days on the fast clock the open incidents are those of the scenario", async () => {
  let printed = ""
  let isInvited = (): void => {}
  const invited = new Promise<void>((resolve) => (isInvited = resolve))
  const stopping = new AbortController()
  const { signal } = stopping
  const asked = { days: 0.5, elements: 8, metrics: 8, folder: null, port: 0 }
  const serving = serveFleet(asked, {
    options: new Map(),
    env: process.env,
    program: [process.execPath, ...deliveredProgram()],
    print(text) {
      printed += text
      if (text.includes("Ctrl C")) isInvited()
    },
    printError: () => {},
    isTerminal: false,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    wait: setTimeout,
    random: seededRandom(7),
    signal,
  })
  const ended = assert.rejects(serving, DemoError)
  try {
    await Promise.race([invited, serving])
    const [, url, user, password] = /or (\S+)\/app\/ as (\S+) with the password (\S+)/.exec(
      printed,
    )!
    const address = { url: url!, user: user!, password: password!, apiKey: "" }
    const client = new DemoClient({ address, fetch, wait: setTimeout, signal })
    const { incidents } = (await client.ask("/incidents?limit=100")) as { incidents: Listed[] }
    const namesOf = (some: readonly Listed[]) =>
      some.map(({ elementName, policyName }) => `${elementName} ${policyName}`).sort()
    const open = incidents.filter(({ tsClosed }) => tsClosed === null)
    assert.deepEqual(namesOf(open), ["shop-03 Many errors", "shop-03 Slow answers"])
    const past = incidents.filter(({ tsClosed }) => tsClosed !== null)
    assert.deepEqual(namesOf(past), [
      "shop-08 Appears to be down",
      "shop-08 Many errors",
      "shop-08 Slow answers",
    ])
    assert.match(printed, / {2}100 % {2}[\d,]+ of [\d,]+ cycles\n/)
  } finally {
    stopping.abort()
    await ended
  }
})
