/**
 * `npm run demo:serve`: a server with two weeks of a fleet, incidents and events, to look at in a
 * browser. The weeks pass on a fast clock; then the server runs on, and the fleet sends on.
 *
 *   simulated clock ─► 14 days in 1 min ─► the same store, real clock ─► a post every five minutes
 */

import { formatInstant } from "../../src/base/iso8601.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { DemoClient } from "./demo-client.ts"
import type { ServeArguments } from "./demo-commands.ts"
import type { DemoDeps } from "./demo-deps.ts"
import { startLocalServer, type LocalServer } from "./demo-server.ts"
import { createPolicies } from "./fleet-demo.ts"
import { loadScheduleOf, postCycles } from "./fleet-load.ts"
import { isClosed } from "./fleet-results.ts"
import { elementName, Fleet, type CycleRange, type FleetIncident } from "./fleet.ts"
import { startWebhookReceiver } from "./webhook-receiver.ts"

/** Two weeks in about a minute; two cores close 24 elements × 12 metrics in time. */
const speed = 30_000
const days = 14
const graceMs = 60_000
const pollMs = 50
const allowed = "--allow-private-addresses=127.0.0.1/32"

/** Posts until it is stopped. Throws a DemoError if a server does not start or answer. */
export async function serveFleet(asked: ServeArguments, demo: DemoDeps): Promise<void> {
  const listener = await startWebhookReceiver()
  const firstDayMs = (Math.floor(demo.clock.nowMs() / dayMs) - days) * dayMs
  const pace = loadScheduleOf(speed)
  const flags = [
    `--clock=${formatInstant(firstDayMs)},x${speed}`,
    `--cycle-grace=PT${graceMs / 1000}S`,
    `--accept-future=PT${pace.acceptAheadMs / 1000}S`,
    allowed,
  ]
  const folder = asked.folder === null ? {} : { folder: asked.folder }
  const server = await startLocalServer({ ...demo, ...folder, flags })
  try {
    demo.print(`Two weeks of ${asked.elements} elements pass in about a minute …\n`)
    const client = clientOf(server, demo)
    await createPolicies(client, listener)
    // The clock has run on since the server began.
    const first = Math.floor((await client.timeMs()) / cycleMs) + 1 + pace.leadCycles
    const begun = newestCycle(demo)
    const incidents = incidentsUntil(begun * cycleMs)
    const fleet = new Fleet({ ...asked, firstDayMs, incidents })
    await post({ from: first, to: begun }, { server, demo, fleet, speed })
    // A slow machine took more than a cycle over it.
    const to = newestCycle(demo)
    await post({ from: begun, to }, { server, demo, fleet, speed })
    // Samples are posted hours ahead of the fast clock. It never comes to their end, where it would
    // close cycles without samples, and with them the open incidents: the real one closes the rest.
    await server.restart(["--port", String(asked.port), allowed])
    const invite = async (): Promise<void> => {
      const real = clientOf(server, demo)
      const newest = { element: elementName(asked.elements - 1), cycle: begun - 2 }
      while (!(await isClosed(real, newest))) await demo.wait(pollMs)
      await annotate(real, incidents)
      demo.print(await invitation(server, demo))
    }
    await Promise.all([
      invite(),
      post({ from: to, to: Infinity }, { server, demo, fleet, speed: 1 }),
    ])
  } finally {
    await server.stop()
    await listener.close()
  }
}

/** The cycle that is not over yet, of the real clock. */
const newestCycle = ({ clock }: DemoDeps): number => Math.floor(clock.nowMs() / cycleMs)

function clientOf({ address }: LocalServer, { wait, signal }: DemoDeps): DemoClient {
  return new DemoClient({ address, fetch: globalThis.fetch, wait, signal })
}

interface Posting {
  readonly server: LocalServer
  readonly demo: DemoDeps
  readonly fleet: Fleet
  readonly speed: number
}

function post(range: CycleRange, { server, demo, fleet, speed: factor }: Posting): Promise<void> {
  return postCycles(range, {
    client: clientOf(server, demo),
    fleet,
    pace: loadScheduleOf(factor),
    speed: factor,
    // A real clock is behind by what the restart took.
    graceMs: factor === 1 ? hourMs : graceMs,
    wait: demo.wait,
    isAborted: () => demo.signal.aborted,
    onPosted: () => {},
  })
}

/** Some of the past days, and one that is still going on. */
function incidentsUntil(endMs: number): FleetIncident[] {
  const incident = (index: number, startMs: number, slowMs: number, silentMs: number) => {
    const [from, turn, to] = [startMs, startMs + slowMs, startMs + slowMs + silentMs]
    const cycle = (ms: number): number => Math.floor(ms / cycleMs)
    return {
      element: elementName(index),
      index,
      slow: { from: cycle(from), to: cycle(turn) },
      silent: { from: cycle(turn), to: cycle(to) },
    }
  }
  return [
    incident(1, endMs - 5 * dayMs, hourMs / 2, hourMs / 2),
    incident(4, endMs - 30 * hourMs, 2 * hourMs, 0),
    incident(7, endMs - 3 * hourMs, hourMs / 2, hourMs),
    incident(2, endMs - hourMs, dayMs, 0),
  ]
}

/** Deployments a few minutes before the incidents, as a person would note them. */
async function annotate(client: DemoClient, incidents: readonly FleetIncident[]): Promise<void> {
  for (const [i, { element, slow }] of incidents.entries()) {
    const timestamp = formatInstant((slow.from - 2) * cycleMs)
    const title = `Deployed shop 1.${i + 2} to ${element}`
    await client.create("/events", { title, elementId: element, timestamp, tags: ["deploy"] })
  }
}

/** Where to look, with a sign-in link that is valid once. */
async function invitation(server: LocalServer, demo: DemoDeps): Promise<string> {
  const { url, user, password } = server.address
  const client = clientOf(server, demo)
  const current = (await client.ask("/users/current")) as { user: { id: number | string } }
  const { link } = (await client.create(`/users/${current.user.id}/link`, {})) as { link: string }
  return `
Open ${url}/app/sign-in#${link} (valid once),
or ${url}/app/ as ${user} with the password ${password}
Its store is in ${server.folder}; Ctrl C ends it.
`
}
