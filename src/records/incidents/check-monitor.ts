/**
 * Lapses: notices within two seconds when the time to live of a check is over, asks the policies,
 * and notices when it is armed again.
 *
 *   check:<tenant>   what was posted        ─┐
 *   lapse:<tenant>   for which lapse, and    ├─► each second: due? ask policies ─► findings
 *                    which policies fired   ─┘                armed again? ─► close
 *
 * Checks are in memory, read once. What a lapse led to is durable beside it, so that a restart
 * neither tells it again nor forgets it. A policy that comes later is asked about what has lapsed.
 */

import { PeriodicTask, type Delay } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import { checkKey, checkKind, type Check } from "../../model/records/check.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { openIncidentKey } from "../../model/records/incident.ts"
import type { PolicyMatch } from "../../policy/policy-event.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import type { IncidentPipeline, ElementMatchers } from "./incident-pipeline.ts"
import type { Policies } from "./policies.ts"

export interface CheckMonitorDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly policies: Pick<Policies, "activeSet">
  readonly findings: IncidentPipeline
}

export interface CheckMonitorRun {
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  readonly delay: Delay
  readonly onError: (error: unknown) => void
}

/** A lapse is to be noticed within five seconds; looking through 100,000 checks takes 2 ms. */
const pauseMs = 1_000
/** Checks that are judged in one step: facts of their elements are one question. */
const checksPerChunkMax = 1_000
/** An element in maintenance is looked at again after this. */
const maintenancePauseMs = 60_000

/** What became of a lapse. */
interface Expiry {
  readonly expiresMs: number
  readonly policyIds: readonly string[]
}

interface MonitoredCheck {
  check: Check
  /** As it is stored; null where no policy fired. */
  expiry: Expiry | null
  /** Which lapse was judged, by which policies, and until when that holds. */
  evaluated: {
    readonly expiresMs: number
    readonly set: PolicySet
    readonly untilMs: number
  } | null
}

export class CheckMonitor {
  private readonly deps: CheckMonitorDeps
  private readonly checksByTenant = new Map<number, Map<string, MonitoredCheck>>()
  private task: PeriodicTask | null = null
  private isStopped = false

  constructor(world: CheckMonitorDeps) {
    this.deps = world
  }

  start({ tenants, delay, onError }: CheckMonitorRun): void {
    const run = async () => {
      for (const tenant of tenants()) {
        if (this.isStopped) break
        await this.poll(tenant).catch(onError)
      }
      return pauseMs
    }
    this.task = new PeriodicTask({ delay, run, onError: () => pauseMs })
    this.task.start(pauseMs)
  }

  /** Resolves when the tenant that is being polled is done; no other one is polled. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.task?.stop()
  }

  /** A check was posted. Before the tenant's checks are read it is among what will be read. */
  armed(tenant: number, check: Check): void {
    const book = this.checksByTenant.get(tenant)
    const watch = book?.get(checkKey(check))
    if (watch === undefined) book?.set(checkKey(check), { check, expiry: null, evaluated: null })
    else if (check.postedMs >= watch.check.postedMs) watch.check = check
  }

  /** Looks once through the checks of a tenant. */
  async poll(tenant: number): Promise<void> {
    const book = this.checksByTenant.get(tenant) ?? (await this.load(tenant))
    const nowMs = this.deps.clock.nowMs()
    const set = await this.deps.policies.activeSet(tenant)
    const armed: MonitoredCheck[] = []
    const due: MonitoredCheck[] = []
    for (const watch of book.values()) {
      const { check, expiry } = watch
      if (expiry !== null && expiry.expiresMs !== check.expiresMs) armed.push(watch)
      else if (check.expiresMs <= nowMs && !isEvaluated(watch, { set, nowMs })) due.push(watch)
    }
    for (const some of chunks(armed)) await this.closeIncidents(tenant, some)
    for (const some of chunks(due)) await this.evaluate(tenant, set, some)
  }

  private async evaluate(
    tenant: number,
    set: PolicySet,
    watches: readonly MonitoredCheck[],
  ): Promise<void> {
    const { findings, clock } = this.deps
    const nowMs = clock.nowMs()
    const checks = watches.map(({ check }) => check)
    const names = new Set(set.matchers.map(({ policy }) => policy.checkCondition?.checkName))
    const meant = checks.filter(({ name }) => names.has(name))
    const watched = await findings.matchersFor(tenant, { set, nowMs }, meant)
    const fired = watches.flatMap((watch) => {
      const found = violationsOf(watch, watched.get(watch.check.elementFqn))
      return found.length === 0 ? [] : [{ watch, found }]
    })
    for (const one of fired) await this.fire(tenant, one)
    watches.forEach((watch, at) => {
      const paused = watched.get(watch.check.elementFqn)?.inMaintenance === true
      const { expiresMs } = checks[at]!
      watch.evaluated = { expiresMs, set, untilMs: paused ? nowMs + maintenancePauseMs : Infinity }
    })
  }

  private async fire(
    tenant: number,
    { watch, found }: { watch: MonitoredCheck; found: readonly PolicyMatch[] },
  ): Promise<void> {
    const { documents, findings, clock } = this.deps
    const { name, elementFqn } = watch.check
    const expiresMs = found[0]!.timeMs
    const told = watch.expiry?.policyIds ?? []
    const lapse: Expiry = {
      expiresMs,
      policyIds: [...told, ...found.map(({ policy }) => policy.id)],
    }
    const change = expiryChange(tenant, { elementFqn, name }, lapse)
    const commit = (changes: readonly DocumentChange[]) => documents.putAll([...changes, change])
    await findings.runTransaction(tenant, { nowMs: clock.nowMs(), commit }, async (steps) => {
      for (const finding of found) steps.fire(finding, name)
    })
    watch.expiry = lapse
  }

  /** The checks were armed again: what their lapses led to is over. */
  private async closeIncidents(tenant: number, watches: readonly MonitoredCheck[]): Promise<void> {
    const { documents, findings, clock } = this.deps
    const gone = watches.map(({ check }) => expiryChange(tenant, check, null))
    const commit = (changes: readonly DocumentChange[]) => documents.putAll([...changes, ...gone])
    await findings.runTransaction(tenant, { nowMs: clock.nowMs(), commit }, async (steps, book) => {
      for (const { check, expiry } of watches) {
        const keys = new Set(
          expiry!.policyIds.map((policyId) => {
            const incident = { elementFqn: check.elementFqn, policyId }
            return openIncidentKey({ incident, cause: "check", subject: check.name })
          }),
        )
        for (const open of book.ofElement(check.elementFqn)) {
          if (keys.has(openIncidentKey(open))) steps.close(open)
        }
      }
    })
    for (const watch of watches) watch.expiry = null
  }

  private async load(tenant: number): Promise<Map<string, MonitoredCheck>> {
    const { documents } = this.deps
    const book = new Map<string, MonitoredCheck>()
    // From now on `armed` finds the book; what it says is newer than what is read below.
    this.checksByTenant.set(tenant, book)
    try {
      const lapses = new Map(
        (await documents.list(expiryKind(tenant))).map((one) => [one.id, one.document as Expiry]),
      )
      for (const { id, document } of await documents.list(checkKind(tenant))) {
        const known = book.get(id)
        const expiry = lapses.get(id) ?? null
        if (known === undefined) book.set(id, { check: document as Check, expiry, evaluated: null })
        else known.expiry = expiry
      }
    } catch (error) {
      this.checksByTenant.delete(tenant)
      throw error
    }
    return book
  }
}

function isEvaluated(
  { check, evaluated }: MonitoredCheck,
  now: { set: PolicySet; nowMs: number },
): boolean {
  return (
    evaluated !== null &&
    evaluated.expiresMs === check.expiresMs &&
    evaluated.set === now.set &&
    now.nowMs < evaluated.untilMs
  )
}

/** What the policies that have not fired for this lapse find. */
function violationsOf(
  { check, expiry }: MonitoredCheck,
  watched: ElementMatchers | undefined,
): PolicyMatch[] {
  if (watched === undefined || watched.inMaintenance) return []
  const { name, ttlSeconds, expiresMs } = check
  return watched.matchers
    .filter(({ policy }) => policy.checkCondition?.checkName === name)
    .filter(({ policy }) => expiry === null || !expiry.policyIds.includes(policy.id))
    .map(({ policy }): PolicyMatch => {
      const expression = `The check ${name} was not posted within ${ttlSeconds} seconds.`
      const conditions = [{ id: "0", violating: true, expression }]
      const results = { violating: true, conditions, metrics: [] }
      const window = `${check.id}/${expiresMs}`
      return {
        policy,
        element: watched.element,
        results,
        cause: "check",
        window,
        timeMs: expiresMs,
      }
    })
}

function expiryKind(tenant: number): string {
  return `lapse:${tenant}`
}

function expiryChange(
  tenant: number,
  check: Pick<Check, "elementFqn" | "name">,
  lapse: Expiry | null,
): DocumentChange {
  return { kind: expiryKind(tenant), id: checkKey(check), document: lapse }
}

function* chunks(watches: readonly MonitoredCheck[]): Iterable<readonly MonitoredCheck[]> {
  for (let from = 0; from < watches.length; from += checksPerChunkMax) {
    yield watches.slice(from, from + checksPerChunkMax)
  }
}
