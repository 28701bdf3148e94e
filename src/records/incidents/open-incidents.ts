/**
 * Open incidents, in memory as in the store. Cycles, external events, checks and users all open and
 * close them, so changes of one tenant run one at a time.
 *
 *   "openIncident:<tenant>" / element, policy, cause, subject     OpenIncident
 */

import { assert } from "../../base/assert.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../../model/document.ts"
import {
  openIncidentKey,
  openIncidentKind,
  type Incident,
  type OpenIncident,
} from "../../model/records/incident.ts"
import { createRecordMutex } from "../core/record-mutex.ts"

export class OpenIncidents {
  private readonly documents: Pick<DocumentStore, "list">
  private readonly mutex = createRecordMutex()
  private readonly indexes = new Map<number, OpenIncidentIndex>()

  constructor(documents: Pick<DocumentStore, "list">) {
    this.documents = documents
  }

  /**
   * Calls `work` with no other call for the tenant under way. `work` may update the index after the
   * store was updated; if it throws, the index is loaded again next time. Rejects with `overloaded`
   * if too many calls wait.
   */
  runExclusive<Result>(
    tenant: TenantIndex,
    work: (index: OpenIncidentIndex) => Promise<Result>,
  ): Promise<Result> {
    return this.mutex.run(String(tenant), async () => {
      const index = this.indexes.get(tenant) ?? (await this.load(tenant))
      this.indexes.set(tenant, index)
      try {
        return await work(index)
      } catch (error) {
        this.indexes.delete(tenant)
        throw error
      }
    })
  }

  /** The open incidents as they are stored now; it does not wait for a call that is under way. */
  async list(tenant: TenantIndex): Promise<readonly Incident[]> {
    const known = this.indexes.get(tenant)
    const index = known ?? (await this.runExclusive(tenant, async (loaded) => loaded))
    return Array.from(index.all(), ({ incident }) => incident)
  }

  private async load(tenant: TenantIndex): Promise<OpenIncidentIndex> {
    const found = await this.documents.list(openIncidentKind(tenant))
    const incidents = found.map(({ id, document }) => {
      const open = document as OpenIncident
      assertOpen(open)
      assert(id === openIncidentKey(open), `Expected the open incident ${id}`)
      return open
    })
    return new OpenIncidentIndex(incidents)
  }
}

/** A tenant's open incidents by element. */
export class OpenIncidentIndex {
  private readonly byElement = new Map<string, Map<string, OpenIncident>>()

  constructor(incidents: readonly OpenIncident[]) {
    for (const open of incidents) this.put(open)
  }

  ofElement(fqn: string): readonly OpenIncident[] {
    return [...(this.byElement.get(fqn)?.values() ?? [])]
  }

  *all(): Iterable<OpenIncident> {
    for (const incidents of this.byElement.values()) yield* incidents.values()
  }

  put(open: OpenIncident): void {
    const fqn = open.incident.elementFqn
    const known = this.byElement.get(fqn) ?? new Map<string, OpenIncident>()
    this.byElement.set(fqn, known)
    known.set(openIncidentKey(open), open)
  }

  remove(open: OpenIncident): void {
    const fqn = open.incident.elementFqn
    const known = this.byElement.get(fqn)
    known?.delete(openIncidentKey(open))
    if (known?.size === 0) this.byElement.delete(fqn)
  }
}

/** Before it is stored, and after it is read. */
function assertOpen({ incident }: OpenIncident): void {
  assert(incident.closedMs === null, `Expected incident ${incident.id} to be open`)
  assert(incident.eventIds.length > 0, `Expected an event of incident ${incident.id}`)
}

/** The change that stores an open incident. */
export function upsertOf(tenant: TenantIndex, open: OpenIncident): DocumentChange {
  assertOpen(open)
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open), document: open }
}

/** The change that removes an open incident. */
export function deletionOf(tenant: TenantIndex, open: OpenIncident): DocumentChange {
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open), document: null }
}
