/**
 * The checks of each tenant in memory, as they were posted last. A tenant's checks are read once,
 * before its first post or poll.
 */

import type { Clock } from "../../base/clock.ts"
import type { DocumentStore } from "../../model/document.ts"
import type { TenantIndex } from "../../model/ids.ts"
import { checkKey, checkKind, type Check } from "../../model/records/check.ts"
import { openIncidentKind, type OpenIncident } from "../../model/records/incident.ts"
import type { PolicySet } from "../../policy/policy-set.ts"
import { noListener, type ChangeListener } from "./change-listener.ts"

export interface MonitoredCheck {
  check: Check
  /** "over": open, although the check was posted again; they are closed next. */
  incidents: "none" | "open" | "over"
  /** Whether listeners know that it has expired. */
  isReported: boolean
  /** The last evaluation of its expiry: with which policies, and until when it is valid. */
  evaluated: { readonly set: PolicySet; readonly untilMs: number } | null
}

export interface TenantChecks {
  /** By `checkKey`. */
  readonly checks: Map<string, MonitoredCheck>
  /** Keys of new checks whose commit is under way. */
  readonly waiting: Set<string>
  /** The last poll, and what the server had missed by then; null before the first one. */
  polled: { readonly nowMs: number; readonly missedMs: number } | null
}

interface CheckTableDeps {
  readonly documents: Pick<DocumentStore, "list">
  readonly clock: Clock
  readonly listener?: Pick<ChangeListener, "checks">
}

export class CheckTable {
  private readonly deps: CheckTableDeps
  private readonly byTenant = new Map<TenantIndex, Promise<TenantChecks>>()

  constructor(deps: CheckTableDeps) {
    this.deps = deps
  }

  of(tenant: TenantIndex): Promise<TenantChecks> {
    let known = this.byTenant.get(tenant)
    if (known === undefined) {
      known = this.load(tenant)
      this.byTenant.set(tenant, known)
      known.catch(() => this.byTenant.delete(tenant))
    }
    return known
  }

  /**
   * Notes a post that is stored. The latest call wins, not the latest time: times go back with the
   * clock.
   */
  arm(tenant: TenantIndex, { checks }: TenantChecks, check: Check): void {
    const known = checks.get(checkKey(check))
    const { listener = noListener } = this.deps
    if (known?.isReported === true) listener.checks(tenant, [check], "armed")
    if (known === undefined) checks.set(checkKey(check), monitored(check, "none"))
    else {
      const incidents = known.incidents === "none" ? "none" : "over"
      Object.assign(known, monitored(check, incidents))
    }
  }

  private async load(tenant: TenantIndex): Promise<TenantChecks> {
    const { documents, clock } = this.deps
    const stored = await documents.list(checkKind(tenant))
    const open = await documents.list(openIncidentKind(tenant))
    const fired = new Set(open.map(({ document }) => subjectOf(document as OpenIncident)))
    const nowMs = clock.nowMs()
    const checks = new Map(
      stored.map(({ id, document }): [string, MonitoredCheck] => {
        const check = document as Check
        const state = check.expiresMs <= nowMs || check.postedMs > nowMs ? "open" : "over"
        return [id, monitored(check, fired.has(id) ? state : "none")]
      }),
    )
    return { checks, waiting: new Set(), polled: null }
  }
}

function monitored(check: Check, incidents: MonitoredCheck["incidents"]): MonitoredCheck {
  return { check, incidents, isReported: false, evaluated: null }
}

/** The key of the check that an incident is about. Those of other causes have no subject. */
function subjectOf({ incident, subject }: OpenIncident): string {
  return checkKey({ elementFqn: incident.elementFqn, name: subject })
}
