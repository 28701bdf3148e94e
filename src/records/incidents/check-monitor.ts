/**
 * The check monitor detects within two seconds that a check has expired, and evaluates the policies
 * as long as it is: each that watches the check has an open incident, until the check is posted
 * again.
 *
 *   check:<tenant>   the last post  ─► each second: expired? ─► policies without an incident fire
 *                                                   posted again? ─► their incidents close
 *
 * Whether a policy has fired is known by its open incident alone. So an incident that was closed by
 * a user or by a maintenance, or whose policy was disabled, is followed by another one as soon as
 * nothing holds it back, as with conditions on cycles.
 */

import { KeyedMutex, PeriodicTask, type Delay } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import type { WatchedTime } from "../../base/time/watched-time.ts"
import { checkKey, checkKind, type Check } from "../../model/records/check.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { CloseReason } from "../../model/records/incident.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import type { PolicyMatch } from "../../policy/policy-event.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import { noListener, type ChangeListener } from "./change-listener.ts"
import type { CheckTable, MonitoredCheck } from "./check-table.ts"
import type { Commit, IncidentPipeline, ElementMatchers } from "./incident-pipeline.ts"
import { MissedTime, type Missed } from "./missed-time.ts"
import type { Policies } from "./policies.ts"

interface CheckMonitorDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly policies: Pick<Policies, "activeSet">
  readonly incidentPipeline: IncidentPipeline
  readonly table: CheckTable
  readonly watchedTime: Pick<WatchedTime, "beganMs" | "missedMs">
  readonly listener?: Pick<ChangeListener, "checks">
}

export interface CheckMonitorRun {
  /** Indexes of all tenants at the time of the call. */
  readonly tenants: () => readonly number[]
  readonly delay: Delay
  readonly onError: (error: unknown) => void
}

/** An expiry must be detected within five seconds; polling 100,000 checks takes 2 ms. */
const pauseMs = 1_000
/**
 * Checks handled together: their elements are looked up by one query, and each has about five
 * changes for each policy, all in one transaction.
 */
const checksPerChunkMax = 250
/**
 * An expired check is evaluated again after this time: a maintenance may be over, an element be
 * renamed, an incident be closed.
 */
const evaluationValidMs = 60_000

export class CheckMonitor {
  private readonly deps: CheckMonitorDeps
  private readonly missedTime: MissedTime
  private readonly mutex = new KeyedMutex<TenantIndex>()
  private task: PeriodicTask | null = null
  private isStopped = false

  constructor(deps: CheckMonitorDeps) {
    this.deps = deps
    this.missedTime = new MissedTime(deps)
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
    // A full disk must not keep the server from stopping.
    await this.missedTime.end().catch(() => {})
  }

  /** Handles the checks of a tenant that have expired or were posted again since the last poll. */
  poll(tenant: TenantIndex): Promise<void> {
    return this.mutex.run(tenant, () => this.pollExclusive(tenant))
  }

  /** Removes checks of a tenant and closes their incidents; returns the number of checks. */
  remove(tenant: TenantIndex, isMeant: (check: Check) => boolean): Promise<number> {
    return this.mutex.run(tenant, async () => {
      const { documents, table } = this.deps
      const { checks } = await table.of(tenant)
      const meant = [...checks.values()].filter(({ check }) => isMeant(check))
      for (const some of chunks(meant)) {
        const removals = some.map(({ check }) => checkChange(tenant, check, null))
        const commit: Commit = (changes) => documents.putAll([...changes, ...removals])
        await this.closeIncidents(tenant, some, "ended", commit)
        for (const { check } of some) checks.delete(checkKey(check))
      }
      return meant.length
    })
  }

  private async pollExclusive(tenant: TenantIndex): Promise<void> {
    const { clock, policies, table } = this.deps
    const known = await table.of(tenant)
    const all = [...known.checks.values()]
    await this.addMissed(tenant, all, await this.missedTime.since(known))
    const nowMs = clock.nowMs()
    await this.store(tenant, all.filter(isFromFuture(nowMs)), (one) => asOfNow(one, nowMs))
    await this.missedTime.note(known)
    const set = await policies.activeSet(tenant)
    const over = all.filter(({ incidents }) => incidents === "over")
    for (const some of chunks(over)) await this.closeIncidents(tenant, some, "recovered")
    const isDue = (one: MonitoredCheck) =>
      one.check.expiresMs <= nowMs && !isEvaluated(one, { set, nowMs })
    for (const some of chunks(all.filter(isDue))) await this.evaluate(tenant, set, some)
  }

  /** Checks get the missed time, up to their ttl. */
  private async addMissed(
    tenant: TenantIndex,
    all: readonly MonitoredCheck[],
    { untilMs, missedMs }: Missed,
  ): Promise<void> {
    if (missedMs <= 0) return
    const nowMs = this.deps.clock.nowMs()
    const isArmed = ({ check, incidents }: MonitoredCheck): boolean =>
      check.postedMs <= untilMs && check.expiresMs > untilMs && incidents !== "open"
    await this.store(tenant, all.filter(isArmed), ({ check }) => {
      const latestMs = Math.ceil(nowMs + check.ttlSeconds * 1000)
      return { ...check, expiresMs: Math.min(check.expiresMs + missedMs, latestMs) }
    })
  }

  /** Changes checks and stores them; one that is posted meanwhile is stored as it was posted. */
  private async store(
    tenant: TenantIndex,
    monitored: readonly MonitoredCheck[],
    changed: (one: MonitoredCheck) => Check,
  ): Promise<void> {
    for (const one of monitored) one.check = changed(one)
    for (const some of chunks(monitored)) {
      for (let left = some; left.length > 0;) {
        const written = left.map(({ check }) => check)
        await this.deps.documents.putAll(written.map((check) => checkChange(tenant, check, check)))
        left = left.filter(({ check }, at) => check !== written[at])
      }
    }
  }

  private async evaluate(
    tenant: TenantIndex,
    set: PolicySet,
    monitored: readonly MonitoredCheck[],
  ): Promise<void> {
    const { incidentPipeline, clock, listener = noListener } = this.deps
    const nowMs = clock.nowMs()
    const expired = monitored.map((one) => ({ one, check: one.check }))
    const unreported = expired.filter(({ one }) => !one.isReported)
    for (const { one } of unreported) one.isReported = true
    listener.checks(
      tenant,
      unreported.map(({ check }) => check),
      "expired",
    )
    const names = new Set(set.matchers.map(({ policy }) => policy.checkCondition?.checkName))
    const relevant = expired.filter(({ check }) => names.has(check.name))
    const about = relevant.map(({ check }) => check)
    const watched = await incidentPipeline.matchersFor(tenant, { set, nowMs }, about)
    const found = relevant.map((each) => ({
      ...each,
      matches: matchesOf(each.check, watched.get(each.check.elementFqn)),
    }))
    await this.fire(
      tenant,
      found.filter(({ matches }) => matches.length > 0),
    )
    for (const { one, check } of expired) {
      // Unless it was posted meanwhile.
      if (one.check === check) one.evaluated = { set, untilMs: nowMs + evaluationValidMs }
    }
  }

  /** Opens the incidents of policies that have none. */
  private async fire(tenant: TenantIndex, found: readonly ExpiredCheck[]): Promise<void> {
    if (found.length === 0) return
    const nowMs = this.deps.clock.nowMs()
    await this.deps.incidentPipeline.runTransaction(tenant, { nowMs }, async (transaction) => {
      for (const { one, check, matches } of found) {
        if (one.check !== check) continue
        one.incidents = "open"
        for (const match of matches) {
          if (transaction.isOpen(match, check.name)) continue
          const isRepeated = await transaction.hasOpened(match)
          transaction.fire(isRepeated ? again(match, nowMs) : match, check.name)
        }
      }
    })
  }

  /** Closes the incidents of checks; `commit` as for transactions of the pipeline. */
  private async closeIncidents(
    tenant: TenantIndex,
    monitored: readonly MonitoredCheck[],
    closeReason: CloseReason,
    commit?: Commit,
  ): Promise<void> {
    const { incidentPipeline, clock } = this.deps
    const nowMs = clock.nowMs()
    await incidentPipeline.runTransaction(
      tenant,
      { nowMs, ...(commit && { commit }) },
      async (transaction, index) => {
        for (const { check } of monitored) {
          const ofElement = index.ofElement(check.elementFqn)
          const own = ofElement.filter(
            ({ cause, subject }) => cause === "check" && subject === check.name,
          )
          for (const open of own) transaction.close(open, closeReason)
        }
      },
    )
    for (const one of monitored) one.incidents = "none"
  }
}

/** A check as it was when its policies were looked up. */
interface ExpiredCheck {
  readonly one: MonitoredCheck
  readonly check: Check
  readonly matches: readonly PolicyMatch[]
}

/** A check that a clock which was ahead has posted: its times say nothing now. */
function isFromFuture(nowMs: number): (one: MonitoredCheck) => boolean {
  return ({ check }) => check.postedMs > nowMs
}

/** The check as if it had been posted now; one that has expired stays expired. */
function asOfNow({ check, isReported, incidents }: MonitoredCheck, nowMs: number): Check {
  const hasExpired = isReported || incidents === "open"
  const expiresMs = hasExpired ? nowMs : Math.ceil(nowMs + check.ttlSeconds * 1000)
  return { ...check, postedMs: nowMs, expiresMs }
}

function isEvaluated(
  { evaluated }: MonitoredCheck,
  { set, nowMs }: { readonly set: PolicySet; readonly nowMs: number },
): boolean {
  if (evaluated === null || evaluated.set !== set) return false
  const leftMs = evaluated.untilMs - nowMs
  // More is left if the clock was set back.
  return leftMs > 0 && leftMs <= evaluationValidMs
}

function matchesOf(
  { id, name, ttlSeconds, expiresMs }: Check,
  watched: ElementMatchers | undefined,
): PolicyMatch[] {
  if (watched === undefined || watched.inMaintenance) return []
  return watched.matchers
    .filter(({ policy }) => policy.checkCondition?.checkName === name)
    .map(({ policy }): PolicyMatch => {
      const expression = `The check ${name} was not posted within ${ttlSeconds} seconds.`
      const conditions = [{ id: "0", violating: true, expression }]
      const results = { violating: true, conditions, metrics: [] }
      const window = `${id}/${expiresMs}`
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

/** The match of an expiry that has fired before: another event, of now. */
function again(match: PolicyMatch, nowMs: number): PolicyMatch {
  return { ...match, window: `${match.window}/${nowMs}`, timeMs: nowMs }
}

function checkChange(
  tenant: TenantIndex,
  of: Pick<Check, "elementFqn" | "name">,
  document: Check | null,
): DocumentChange {
  return { kind: checkKind(tenant), id: checkKey(of), document }
}

function* chunks(checks: readonly MonitoredCheck[]): Iterable<readonly MonitoredCheck[]> {
  for (let from = 0; from < checks.length; from += checksPerChunkMax) {
    yield checks.slice(from, from + checksPerChunkMax)
  }
}
