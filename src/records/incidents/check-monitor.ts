/**
 * The check monitor detects within two seconds that a check has expired, evaluates the policies,
 * and closes their incidents when the check is posted again.
 *
 *   check:<tenant>   the last post            ─┐
 *   lapse:<tenant>   which expiry was handled, ├─► each second: expired? ─► policies fire
 *                    and which policies fired ─┘                posted again? ─► close
 *
 * Checks are loaded into memory once. The outcome of an expiry is stored, so that after a restart
 * it is neither reported twice nor lost. A policy created later is evaluated for expired checks,
 * too.
 */

import { PeriodicTask, type Delay } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import { checkKey, checkKind, type Check } from "../../model/records/check.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import { openIncidentKey } from "../../model/records/incident.ts"
import type { PolicyMatch } from "../../policy/policy-event.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import { noListener, type ChangeListener } from "./change-listener.ts"
import type { IncidentPipeline, ElementMatchers } from "./incident-pipeline.ts"
import type { Policies } from "./policies.ts"

interface CheckMonitorDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly policies: Pick<Policies, "activeSet">
  readonly incidentPipeline: IncidentPipeline
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
/** Checks evaluated together: their elements are looked up by one query. */
const checksPerChunkMax = 1_000
/** Checks of an element in maintenance are evaluated again after this time. */
const maintenancePauseMs = 60_000

/** A handled expiry, as stored: when the check expired, and which policies have fired. */
interface Expiry {
  readonly expiresMs: number
  readonly policyIds: readonly string[]
}

interface MonitoredCheck {
  check: Check
  /** As stored; null if no policy has fired. */
  expiry: Expiry | null
  /** The last evaluation: for which expiry, with which policies, and until when it is valid. */
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

  constructor(deps: CheckMonitorDeps) {
    this.deps = deps
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

  /** Called when a check was posted. Checks of a tenant that is not loaded yet are loaded later. */
  armed(tenant: TenantIndex, check: Check): void {
    const checks = this.checksByTenant.get(tenant)
    const known = checks?.get(checkKey(check))
    const isBack = known !== undefined && known.check.expiresMs <= check.postedMs
    if (isBack) (this.deps.listener ?? noListener).checks(tenant, [check], "armed")
    if (known === undefined) checks?.set(checkKey(check), { check, expiry: null, evaluated: null })
    else if (check.postedMs >= known.check.postedMs) known.check = check
  }

  /** Handles the checks of a tenant that have expired or were posted again since the last poll. */
  async poll(tenant: TenantIndex): Promise<void> {
    const checks = this.checksByTenant.get(tenant) ?? (await this.load(tenant))
    const nowMs = this.deps.clock.nowMs()
    const set = await this.deps.policies.activeSet(tenant)
    const armed: MonitoredCheck[] = []
    const due: MonitoredCheck[] = []
    for (const one of checks.values()) {
      const { check, expiry } = one
      if (expiry !== null && expiry.expiresMs !== check.expiresMs) armed.push(one)
      else if (check.expiresMs <= nowMs && !isEvaluated(one, { set, nowMs })) due.push(one)
    }
    for (const some of chunks(armed)) await this.closeIncidents(tenant, some)
    for (const some of chunks(due)) await this.evaluate(tenant, set, some)
  }

  private async evaluate(
    tenant: TenantIndex,
    set: PolicySet,
    monitored: readonly MonitoredCheck[],
  ): Promise<void> {
    const { incidentPipeline, clock } = this.deps
    const nowMs = clock.nowMs()
    const posted = monitored.map(({ check }) => check)
    const expired = monitored.filter(isNewlyExpired).map(({ check }) => check)
    const { listener = noListener } = this.deps
    listener.checks(tenant, expired, "expired")
    const names = new Set(set.matchers.map(({ policy }) => policy.checkCondition?.checkName))
    const relevant = posted.filter(({ name }) => names.has(name))
    const watched = await incidentPipeline.matchersFor(tenant, { set, nowMs }, relevant)
    const fired = monitored.flatMap((one) => {
      const matches = matchesOf(one, watched.get(one.check.elementFqn))
      return matches.length === 0 ? [] : [{ one, matches }]
    })
    for (const each of fired) await this.fire(tenant, each)
    monitored.forEach((one, at) => {
      const paused = watched.get(one.check.elementFqn)?.inMaintenance === true
      const { expiresMs } = posted[at]!
      one.evaluated = { expiresMs, set, untilMs: paused ? nowMs + maintenancePauseMs : Infinity }
    })
  }

  private async fire(
    tenant: TenantIndex,
    { one, matches }: { one: MonitoredCheck; matches: readonly PolicyMatch[] },
  ): Promise<void> {
    const { documents, incidentPipeline, clock } = this.deps
    const { name, elementFqn } = one.check
    const expiresMs = matches[0]!.timeMs
    const former = one.expiry?.policyIds ?? []
    const expiry: Expiry = {
      expiresMs,
      policyIds: [...former, ...matches.map(({ policy }) => policy.id)],
    }
    const change = expiryChange(tenant, { elementFqn, name }, expiry)
    const commit = (changes: readonly DocumentChange[]) => documents.putAll([...changes, change])
    await incidentPipeline.runTransaction(
      tenant,
      { nowMs: clock.nowMs(), commit },
      async (transaction) => {
        for (const match of matches) transaction.fire(match, name)
      },
    )
    one.expiry = expiry
  }

  /** Closes the incidents of checks that were posted again. */
  private async closeIncidents(
    tenant: TenantIndex,
    monitored: readonly MonitoredCheck[],
  ): Promise<void> {
    const { documents, incidentPipeline, clock } = this.deps
    const deletions = monitored.map(({ check }) => expiryChange(tenant, check, null))
    const commit = (changes: readonly DocumentChange[]) =>
      documents.putAll([...changes, ...deletions])
    await incidentPipeline.runTransaction(
      tenant,
      { nowMs: clock.nowMs(), commit },
      async (transaction, index) => {
        for (const { check, expiry } of monitored) {
          const keys = new Set(
            expiry!.policyIds.map((policyId) => {
              const incident = { elementFqn: check.elementFqn, policyId }
              return openIncidentKey({ incident, cause: "check", subject: check.name })
            }),
          )
          for (const open of index.ofElement(check.elementFqn)) {
            if (keys.has(openIncidentKey(open))) transaction.close(open)
          }
        }
      },
    )
    for (const one of monitored) one.expiry = null
  }

  private async load(tenant: TenantIndex): Promise<Map<string, MonitoredCheck>> {
    const { documents } = this.deps
    const checks = new Map<string, MonitoredCheck>()
    // From now on `armed` adds to the map; its checks are newer than those read below.
    this.checksByTenant.set(tenant, checks)
    try {
      const expiries = new Map(
        (await documents.list(expiryKind(tenant))).map(({ id, document }) => [
          id,
          document as Expiry,
        ]),
      )
      for (const { id, document } of await documents.list(checkKind(tenant))) {
        const known = checks.get(id)
        const expiry = expiries.get(id) ?? null
        if (known === undefined)
          checks.set(id, { check: document as Check, expiry, evaluated: null })
        else known.expiry = expiry
      }
    } catch (error) {
      this.checksByTenant.delete(tenant)
      throw error
    }
    return checks
  }
}

/** False for one that was reported before, and is evaluated again for other policies. */
function isNewlyExpired({ check, evaluated }: MonitoredCheck): boolean {
  return evaluated?.expiresMs !== check.expiresMs
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

/** The matches of policies that have not fired yet for this expiry. */
function matchesOf(
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

function expiryKind(tenant: TenantIndex): string {
  return `lapse:${tenant}`
}

function expiryChange(
  tenant: TenantIndex,
  check: Pick<Check, "elementFqn" | "name">,
  expiry: Expiry | null,
): DocumentChange {
  return { kind: expiryKind(tenant), id: checkKey(check), document: expiry }
}

function* chunks(checks: readonly MonitoredCheck[]): Iterable<readonly MonitoredCheck[]> {
  for (let from = 0; from < checks.length; from += checksPerChunkMax) {
    yield checks.slice(from, from + checksPerChunkMax)
  }
}
