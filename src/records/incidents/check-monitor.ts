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

import type { Clock } from "../../base/clock.ts"
import { checkKey, checkKind, type Check } from "../../model/records/check.ts"
import type { DocumentChange, Documents } from "../../model/document.ts"
import { openIncidentKey } from "../../model/records/incident.ts"
import type { PolicyFinding } from "../../policy/policy-event.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import type { Findings, Watched } from "./incident-pipeline.ts"
import type { Policies } from "./policies.ts"

export interface LapsesWorld {
  readonly documents: Documents
  readonly clock: Clock
  readonly policies: Pick<Policies, "inForce">
  readonly findings: Findings
}

export interface LapsesRun {
  /** Indexes of all tenants, as of now. */
  readonly tenants: () => readonly number[]
  /** Calls back after a while; returns a way to cancel. */
  readonly delay: (callback: () => void, ms: number) => () => void
  readonly onError: (error: unknown) => void
}

/** A lapse is to be noticed within five seconds; looking through 100,000 checks takes 2 ms. */
const pauseMs = 1_000
/** Checks that are judged in one step: facts of their elements are one question. */
const checksPerStepMax = 1_000
/** An element in maintenance is looked at again after this. */
const maintenancePauseMs = 60_000

/** What became of a lapse. */
interface Lapse {
  readonly expiresMs: number
  readonly policyIds: readonly string[]
}

interface Watch {
  check: Check
  /** As it is stored; null where no policy fired. */
  lapse: Lapse | null
  /** Which lapse was judged, by which policies, and until when that holds. */
  judged: { readonly expiresMs: number; readonly set: PolicySet; readonly untilMs: number } | null
}

export class Lapses {
  private readonly world: LapsesWorld
  private readonly books = new Map<number, Map<string, Watch>>()
  private run: LapsesRun | null = null
  private cancelPause: () => void = () => {}
  private running: Promise<void> = Promise.resolve()

  constructor(world: LapsesWorld) {
    this.world = world
  }

  start(run: LapsesRun): void {
    this.run = run
    this.pause()
  }

  /** Ends after the tenant that is being looked at now. */
  async stop(): Promise<void> {
    this.run = null
    this.cancelPause()
    await this.running
  }

  /** A check was posted. Before the tenant's checks are read it is among what will be read. */
  armed(tenant: number, check: Check): void {
    const book = this.books.get(tenant)
    const watch = book?.get(checkKey(check))
    if (watch === undefined) book?.set(checkKey(check), { check, lapse: null, judged: null })
    else if (check.postedMs >= watch.check.postedMs) watch.check = check
  }

  /** Looks once through the checks of a tenant. */
  async look(tenant: number): Promise<void> {
    const book = this.books.get(tenant) ?? (await this.read(tenant))
    const nowMs = this.world.clock.nowMs()
    const set = await this.world.policies.inForce(tenant)
    const armed: Watch[] = []
    const due: Watch[] = []
    for (const watch of book.values()) {
      const { check, lapse } = watch
      if (lapse !== null && lapse.expiresMs !== check.expiresMs) armed.push(watch)
      else if (check.expiresMs <= nowMs && !isJudged(watch, { set, nowMs })) due.push(watch)
    }
    for (const some of steps(armed)) await this.close(tenant, some)
    for (const some of steps(due)) await this.judge(tenant, set, some)
  }

  private async judge(tenant: number, set: PolicySet, watches: readonly Watch[]): Promise<void> {
    const { findings, clock } = this.world
    const nowMs = clock.nowMs()
    const checks = watches.map(({ check }) => check)
    const names = new Set(set.matchers.map(({ policy }) => policy.checkCondition?.checkName))
    const meant = checks.filter(({ name }) => names.has(name))
    const watched = await findings.watchedBy(tenant, { set, nowMs }, meant)
    const fired = watches.flatMap((watch) => {
      const found = findingsOf(watch, watched.get(watch.check.elementFqn))
      return found.length === 0 ? [] : [{ watch, found }]
    })
    for (const one of fired) await this.fire(tenant, one)
    watches.forEach((watch, at) => {
      const paused = watched.get(watch.check.elementFqn)?.inMaintenance === true
      const { expiresMs } = checks[at]!
      watch.judged = { expiresMs, set, untilMs: paused ? nowMs + maintenancePauseMs : Infinity }
    })
  }

  private async fire(
    tenant: number,
    { watch, found }: { watch: Watch; found: readonly PolicyFinding[] },
  ): Promise<void> {
    const { documents, findings, clock } = this.world
    const { name, elementFqn } = watch.check
    const expiresMs = found[0]!.timeMs
    const told = watch.lapse?.policyIds ?? []
    const lapse: Lapse = {
      expiresMs,
      policyIds: [...told, ...found.map(({ policy }) => policy.id)],
    }
    const change = lapseChange(tenant, { elementFqn, name }, lapse)
    const commit = (changes: readonly DocumentChange[]) => documents.putAll([...changes, change])
    await findings.inTurn(tenant, { nowMs: clock.nowMs(), commit }, async (steps) => {
      for (const finding of found) steps.fire(finding, name)
    })
    watch.lapse = lapse
  }

  /** The checks were armed again: what their lapses led to is over. */
  private async close(tenant: number, watches: readonly Watch[]): Promise<void> {
    const { documents, findings, clock } = this.world
    const gone = watches.map(({ check }) => lapseChange(tenant, check, null))
    const commit = (changes: readonly DocumentChange[]) => documents.putAll([...changes, ...gone])
    await findings.inTurn(tenant, { nowMs: clock.nowMs(), commit }, async (steps, book) => {
      for (const { check, lapse } of watches) {
        const keys = new Set(
          lapse!.policyIds.map((policyId) => {
            const incident = { elementFqn: check.elementFqn, policyId }
            return openIncidentKey({ incident, cause: "check", subject: check.name })
          }),
        )
        for (const open of book.ofElement(check.elementFqn)) {
          if (keys.has(openIncidentKey(open))) steps.close(open)
        }
      }
    })
    for (const watch of watches) watch.lapse = null
  }

  private async read(tenant: number): Promise<Map<string, Watch>> {
    const { documents } = this.world
    const book = new Map<string, Watch>()
    // From now on `armed` finds the book; what it says is newer than what is read below.
    this.books.set(tenant, book)
    try {
      const lapses = new Map(
        (await documents.list(lapseKind(tenant))).map((one) => [one.id, one.document as Lapse]),
      )
      for (const { id, document } of await documents.list(checkKind(tenant))) {
        const known = book.get(id)
        const lapse = lapses.get(id) ?? null
        if (known === undefined) book.set(id, { check: document as Check, lapse, judged: null })
        else known.lapse = lapse
      }
    } catch (error) {
      this.books.delete(tenant)
      throw error
    }
    return book
  }

  private pause(): void {
    const { run } = this
    if (run === null) return
    this.cancelPause = run.delay(() => {
      this.running = this.lookAtAll(run).finally(() => this.pause())
    }, pauseMs)
  }

  private async lookAtAll({ tenants, onError }: LapsesRun): Promise<void> {
    for (const tenant of tenants()) {
      if (this.run === null) return
      await this.look(tenant).catch(onError)
    }
  }
}

function isJudged({ check, judged }: Watch, now: { set: PolicySet; nowMs: number }): boolean {
  return (
    judged !== null &&
    judged.expiresMs === check.expiresMs &&
    judged.set === now.set &&
    now.nowMs < judged.untilMs
  )
}

/** What the policies that have not fired for this lapse find. */
function findingsOf({ check, lapse }: Watch, watched: Watched | undefined): PolicyFinding[] {
  if (watched === undefined || watched.inMaintenance) return []
  const { name, ttlSeconds, expiresMs } = check
  return watched.matchers
    .filter(({ policy }) => policy.checkCondition?.checkName === name)
    .filter(({ policy }) => lapse === null || !lapse.policyIds.includes(policy.id))
    .map(({ policy }): PolicyFinding => {
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

function lapseKind(tenant: number): string {
  return `lapse:${tenant}`
}

function lapseChange(
  tenant: number,
  check: Pick<Check, "elementFqn" | "name">,
  lapse: Lapse | null,
): DocumentChange {
  return { kind: lapseKind(tenant), id: checkKey(check), document: lapse }
}

function* steps(watches: readonly Watch[]): Iterable<readonly Watch[]> {
  for (let from = 0; from < watches.length; from += checksPerStepMax) {
    yield watches.slice(from, from + checksPerStepMax)
  }
}
