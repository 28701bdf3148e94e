/**
 * `npm run demo:serve`: a server with two weeks of a fleet, incidents and events, to look at in a
 * browser. The weeks pass on a fast clock, as fast as the machine closes their cycles; then the
 * server runs on, and the fleet sends on.
 *
 *   simulated clock ─► 14 days ─► the same store, real clock ─► a post every five minutes
 *
 * The fast clock stops at its end. Even if the server is stopped late, it closes no cycle whose
 * samples were not sent, in which the whole fleet would appear to be down.
 */

import { formatInstant } from "../../src/base/iso8601.ts"
import { cycleMs, dayMs, hourMs } from "../../src/model/resolution.ts"
import { DemoClient } from "./demo-client.ts"
import type { ServeArguments } from "./demo-commands.ts"
import type { DemoDeps } from "./demo-deps.ts"
import { DemoProgress } from "./demo-progress.ts"
import { startLocalServer, type LocalServer } from "./demo-server.ts"
import { createPolicies } from "./fleet-demo.ts"
import { loadScheduleOf, postCycles, waitFor } from "./fleet-load.ts"
import { elementName, Fleet, type CycleRange, type FleetIncident } from "./fleet.ts"
import { startWebhookReceiver } from "./webhook-receiver.ts"

/** The fastest: the clock waits for the machine. */
const speed = 100_000
const graceMs = 60_000
const pollMs = 50
const allowed = "--allow-private-addresses=127.0.0.1/32"

/** Posts until it is stopped. Throws a DemoError if a server does not start or answer. */
export async function serveFleet(asked: ServeArguments, demo: DemoDeps): Promise<void> {
  const listener = await startWebhookReceiver()
  const begun = newestCycle(demo)
  const endMs = begun * cycleMs
  const firstDayMs = endMs - asked.days * dayMs
  const first = firstDayMs / cycleMs
  const pace = loadScheduleOf(speed)
  const flagsOf = (clock: string): string[] => [
    `--clock=${clock}`,
    `--cycle-grace=PT${graceMs / 1000}S`,
    `--accept-future=PT${pace.acceptAheadMs / 1000}S`,
    allowed,
  ]
  const folder = asked.folder === null ? {} : { folder: asked.folder }
  const startText = formatInstant(firstDayMs)
  const server = await startLocalServer({ ...demo, ...folder, flags: flagsOf(startText) })
  try {
    await createPolicies(clientOf(server, demo), listener)
    const incidents = incidentsUntil(endMs)
    const fleet = new Fleet({ ...asked, firstDayMs, incidents })
    const onPosted = progressOf({ from: first, to: begun }, demo)
    const posting = { server, demo, fleet, speed, onPosted }
    // On a clock that hardly moves, so that no time passes without policies and samples.
    const ahead = Math.min(begun, first + pace.leadCycles)
    await post({ from: first, to: ahead }, posting)
    await server.restart(flagsOf(`${startText},x${speed},${formatInstant(endMs)}`))
    const ofAsked = `${asked.days} days of ${asked.elements} elements`
    demo.print(`${ofAsked} pass, as fast as this machine closes their cycles …\n`)
    await post({ from: ahead, to: begun }, posting)
    await clockEnd(server, endMs, demo)
    // The cycles that have passed meanwhile, and the one that runs: the real clock closes them.
    const to = Math.min(newestCycle(demo) + 1, begun + pace.leadCycles)
    await post({ from: begun, to }, { ...posting, onPosted: () => {} })
    await server.restart(["--port", String(asked.port), allowed])
    const invite = async (): Promise<void> => {
      const real = clientOf(server, demo)
      // The newest one that is due now, whenever the cycle ends.
      while ((await real.lastClosedMs()) < (to - 3) * cycleMs) await demo.wait(pollMs)
      await annotate(real, incidents)
      demo.print(await invitation(server, demo))
    }
    await Promise.all([
      invite(),
      post({ from: to, to: Infinity }, { ...posting, speed: 1, onPosted: () => {} }),
    ])
  } finally {
    await server.stop()
    await listener.close()
  }
}

/** Waits until the fast clock has stopped. */
function clockEnd(server: LocalServer, endMs: number, demo: DemoDeps): Promise<void> {
  const { wait, signal } = demo
  const isAborted = () => signal.aborted
  return waitFor(endMs, { client: clientOf(server, demo), speed, wait, isAborted })
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
  readonly onPosted: (toCycle: number) => void
}

function post(
  range: CycleRange,
  { server, demo, fleet, speed: factor, onPosted }: Posting,
): Promise<void> {
  return postCycles(range, {
    client: clientOf(server, demo),
    fleet,
    pace: loadScheduleOf(factor),
    speed: factor,
    // A real clock is behind by what the restart took.
    graceMs: factor === 1 ? hourMs : graceMs,
    wait: demo.wait,
    isAborted: () => demo.signal.aborted,
    onPosted,
  })
}

function progressOf({ from, to }: CycleRange, { print, isTerminal, elapsedMs }: DemoDeps) {
  const options = { total: to - from, unit: "cycles", isTerminal, elapsedMs }
  const progress = new DemoProgress(options)
  return (toCycle: number): void => print(progress.at(toCycle - from))
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
