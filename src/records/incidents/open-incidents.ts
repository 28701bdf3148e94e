/**
 * Open incidents: in memory as they are in the store, and changed in turns, a tenant at a time:
 * cycles, external events, checks and people all open and close them.
 *
 *   "openIncident:<tenant>" / element, policy, cause, subject     OpenIncident
 */

import type { DocumentChange, Documents } from "../../model/document.ts"
import {
  openIncidentKey,
  openIncidentKind,
  type OpenIncident,
} from "../../model/records/incident.ts"
import { Turns } from "../core/keyed-mutex.ts"

/** A finding may be told again with every request of a burst; they wait for one another. */
export class OpenIncidents {
  private readonly documents: Pick<Documents, "list">
  private readonly turns = new Turns()
  private readonly books = new Map<number, OpenBook>()

  constructor(documents: Pick<Documents, "list">) {
    this.documents = documents
  }

  /**
   * Does `work` in the tenant's turn. It may change the book once the store has the same; where it
   * throws, the book is read anew the next time. Throws `overloaded` where too many wait.
   */
  inTurn<Result>(tenant: number, work: (book: OpenBook) => Promise<Result>): Promise<Result> {
    return this.turns.run(String(tenant), async () => {
      const book = this.books.get(tenant) ?? (await this.read(tenant))
      this.books.set(tenant, book)
      try {
        return await work(book)
      } catch (error) {
        this.books.delete(tenant)
        throw error
      }
    })
  }

  private async read(tenant: number): Promise<OpenBook> {
    const found = await this.documents.list(openIncidentKind(tenant))
    return new OpenBook(found.map(({ document }) => document as OpenIncident))
  }
}

/** A tenant's open incidents by element. */
export class OpenBook {
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

/** The change that keeps an open incident. */
export function keeping(tenant: number, open: OpenIncident): DocumentChange {
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open), document: open }
}

/** The change that forgets that an incident was open. */
export function forgetting(tenant: number, open: OpenIncident): DocumentChange {
  return { kind: openIncidentKind(tenant), id: openIncidentKey(open), document: null }
}
