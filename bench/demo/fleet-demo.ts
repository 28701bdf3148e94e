/**
 * `npm run demo -- --clock …`: a fleet on a simulated clock, watched by policies.
 *
 *   own server ─► webhook, policies ─► samples as the clock goes ─► what was found, and judged
 */

import type { SimulatedTime } from "../../src/base/clock.ts"
import { formatInstant } from "../../src/base/iso8601.ts"
import { cycleMs, dayMs } from "../../src/model/resolution.ts"
import type { Span } from "../../src/model/span.ts"
import type { FleetArguments } from "./demo-commands.ts"
import { DemoClient } from "./demo-client.ts"
import { startLocalServer } from "./demo-server.ts"
import type { DemoDeps } from "./demo-deps.ts"
import { closedMark, eventsOf, incidentsOf, isClosed, recordsOf } from "./fleet-results.ts"
import { policyResultsOf, verifyFleet, type FleetObservations } from "./fleet-verification.ts"
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts"
import { cpu, jobsFailed, requests } from "./fleet-metrics.ts"
import { loadScheduleOf, postCycles, waitFor, type LoadSchedule } from "./fleet-load.ts"
import { fleetPolicies, policyBody } from "./fleet-policies.ts"
import { bandsText, deliveriesText, incidentsText, policiesText, checksText } from "./fleet-text.ts"
import { wholeText } from "../../src/command/text/table-text.ts"
import { elementName, Fleet, incidentOf, restartedElement, type CycleRange } from "./fleet.ts"

/** The server's wait after a cycle's end; the demonstration sets it, so that it knows. */
const graceMs = 60_000

/** Gives true if all that must be found was found, and nothing else. */
export async function demonstrateFleet(asked: FleetArguments, demo: DemoDeps): Promise<boolean> {
  const { time, folder } = asked
  const pace = loadScheduleOf(time.speed)
  const listener = await startWebhookReceiver()
  try {
    const server = await startLocalServer({
      ...demo,
      ...(folder === null ? {} : { folder }),
      flags: serverFlags(time, pace),
    })
    try {
      const { url } = server.address
      demo.print(`Started a server on ${url}, its store in ${server.folder}\n`)
      const { wait, signal } = demo
      const client = new DemoClient({ address: server.address, fetch, wait, signal })
      const policyIds = await createPolicies(client, listener)
      const begun = { policyIds, nowMs: await client.timeMs() }
      return await new FleetDemo(asked, { demo, client, listener, pace }, begun).run()
    } finally {
      await server.stop()
    }
  } finally {
    await listener.close()
  }
}

function serverFlags({ startMs, speed }: SimulatedTime, { acceptAheadMs }: LoadSchedule): string[] {
  return [
    `--clock=${formatInstant(startMs)},x${speed}`,
    `--cycle-grace=PT${graceMs / 1000}S`,
    `--accept-future=PT${acceptAheadMs / 1000}S`,
    "--allow-private-addresses=127.0.0.1/32",
  ]
}

interface FleetDemoDeps {
  readonly demo: DemoDeps
  readonly client: DemoClient
  readonly listener: WebhookReceiver
  readonly pace: LoadSchedule
}

/** The server as it is when the fleet begins to send. */
interface StartState {
  readonly policyIds: ReadonlyMap<string, string>
  readonly nowMs: number
}

/** How long deliveries may take after the last cycle was closed. */
const deliveryMsMax = 5_000
const pollMs = 20
/** Around the incident, records are shown. */
const shownMs = 30 * 60_000

class FleetDemo {
  private readonly args: FleetArguments
  private readonly deps: FleetDemoDeps
  private readonly policyIds: ReadonlyMap<string, string>
  /** Midnight of the day of the first cycle. */
  private readonly firstDayMs: number
  private readonly span: Span
  private readonly fleet: Fleet

  constructor(asked: FleetArguments, tools: FleetDemoDeps, begun: StartState) {
    this.args = asked
    this.deps = tools
    this.policyIds = begun.policyIds
    // The cycle that runs is half over already; a fast clock runs on while the first are posted.
    const startMs = (Math.floor(begun.nowMs / cycleMs) + 1 + tools.pace.leadCycles) * cycleMs
    this.firstDayMs = Math.floor(startMs / dayMs) * dayMs
    this.span = { startMs, endMs: this.firstDayMs + asked.days * dayMs }
    this.fleet = new Fleet({ ...asked, firstDayMs: this.firstDayMs })
  }

  async run(): Promise<boolean> {
    const { args, span } = this
    const { demo } = this.deps
    const what = `${args.elements} elements × ${args.metrics} metrics`
    demo.print(`Posting ${what}, ${minuteText(span.startMs)} to ${minuteText(span.endMs)}\n`)
    const startedMs = demo.elapsedMs()
    await this.post({ from: span.startMs / cycleMs, to: span.endMs / cycleMs })
    const seconds = (demo.elapsedMs() - startedMs) / 1000
    const cycles = (span.endMs - span.startMs) / cycleMs
    demo.print(`${wholeText(cycles)} cycles in ${seconds.toFixed(1)} s\n\n`)
    return this.report(await this.readBack())
  }

  /** Posts the cycles and what keeps the fleet alive while it is read back; waits for the end. */
  private async post({ from, to }: CycleRange): Promise<void> {
    const { client, pace, demo } = this.deps
    const { speed } = this.args.time
    const isAborted = () => demo.signal.aborted
    const waiting = { client, speed, wait: demo.wait, isAborted }
    let day = 0
    const onPosted = (cycle: number): void => {
      const posted = Math.floor((cycle * cycleMs - this.firstDayMs) / dayMs)
      if (posted > day && cycle <= to) demo.print(`  day ${posted} is posted\n`)
      day = Math.max(day, posted)
    }
    const posting = { ...waiting, pace, fleet: this.fleet, graceMs, onPosted }
    await postCycles({ from, to: to + 3 * pace.cyclesPerPost }, posting)
    await waitFor((to + 1) * cycleMs, waiting)
    const element = elementName(this.args.elements - 1)
    while (!(await isClosed(client, { element, cycle: to - 1 }))) await demo.wait(pollMs)
  }

  private async readBack(): Promise<FleetObservations> {
    const { client } = this.deps
    const { span, firstDayMs, policyIds } = this
    const first = elementName(0)
    const restarted = elementName(restartedElement)
    const found = {
      span,
      firstDayMs,
      graceMs,
      policyIds,
      ledger: this.fleet.ledgerOf(span),
      events: await eventsOf(client, span),
      incidents: await incidentsOf(client, span),
      counter: await recordsOf(client, { element: restarted, metric: requests, span }),
      rare: await recordsOf(client, { element: first, metric: jobsFailed, span }),
      closings: await recordsOf(client, { element: first, metric: closedMark, span }),
    }
    return { ...found, deliveries: await this.deliveries() }
  }

  /** Those of the span; some may still be on their way. */
  private async deliveries() {
    const { listener, demo } = this.deps
    const wanted = 2 * fleetPolicies.filter(({ sees }) => sees !== null).length
    const untilMs = demo.elapsedMs() + deliveryMsMax
    while (listener.deliveries.length < wanted && demo.elapsedMs() < untilMs) {
      await demo.wait(pollMs)
    }
    return listener.deliveries.filter(({ timestamp }) => Date.parse(timestamp) < this.span.endMs)
  }

  private async report(found: FleetObservations): Promise<boolean> {
    const { print } = this.deps.demo
    const findings = policyResultsOf(found)
    print(`${policiesText(findings)}\n\n${incidentsText(findings)}\n\n`)
    print(`${deliveriesText(found.deliveries)}\n\n`)
    const { element, slow, silent } = incidentOf(this.firstDayMs)
    const span = { startMs: slow.from * cycleMs - shownMs, endMs: silent.to * cycleMs + shownMs }
    const records = await recordsOf(this.deps.client, { element, metric: cpu, span })
    print(`${cpu} of ${element}, every ten minutes\n\n`)
    print(`${bandsText(records, span, 2 * cycleMs)}\n\n`)
    const verdicts = verifyFleet(found)
    print(`${checksText(verdicts)}\n`)
    return verdicts.every(({ holds }) => holds)
  }
}

function minuteText(ms: number): string {
  return formatInstant(ms).slice(0, 16).replace("T", " ")
}

/** Ids of the policies by name; all notify the listener. */
export async function createPolicies(
  client: DemoClient,
  listener: WebhookReceiver,
): Promise<ReadonlyMap<string, string>> {
  const properties = { name: "Listener of the demonstration", url: listener.url }
  const made = await client.create("/notifications", {
    notification: { type: "webhook", properties },
  })
  const { notification } = made as { notification: { id: number } }
  const ids = new Map<string, string>()
  for (const policy of fleetPolicies) {
    const answer = await client.create("/policies", policyBody(policy, notification.id))
    ids.set(policy.name, (answer as { policy: { id: string } }).policy.id)
  }
  return ids
}
