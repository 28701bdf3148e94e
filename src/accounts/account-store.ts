/**
 * Book: tenants, users and keys as they are stored, in memory. Whoever changes them goes through
 * `change`, which stores first and then takes the very same documents in, so memory and store never
 * differ; one change at a time, so that what a change was decided upon still holds.
 */

import type { Clock } from "../base/clock.ts"
import { ServiceError } from "../base/errors.ts"
import { accountChangesWaitingMax } from "../base/limits.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { ApiKeys } from "./api-keys.ts"
import { apiKeyKind, counterKind, documentVersion, tenantKind, userKind } from "./documents.ts"
import type {
  ApiKeyDocument,
  CounterDocument,
  TenantDocument,
  TenantState,
  UserDocument,
} from "./documents.ts"
import type { Rates } from "./rate-limit.ts"

export interface Tenant {
  readonly uuid: string
  readonly document: TenantDocument
}

export interface AccountStoreOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly rates: Rates
}

/** Told what changed, after it did. */
export interface AccountObserver {
  userChanged?(email: string): void
  tenantChanged?(tenant: Tenant): void
}

export class AccountStore {
  /** By index. */
  readonly tenants = new Map<number, Tenant>()
  /** By e-mail in lower case. */
  readonly users = new Map<string, UserDocument>()
  readonly keys: ApiKeys
  private readonly documents: DocumentStore
  private readonly observers: AccountObserver[] = []
  private userIdLast = 0
  private turn: Promise<unknown> = Promise.resolve()
  private waiting = 0

  constructor({ documents, clock, rates }: AccountStoreOptions) {
    this.documents = documents
    this.keys = new ApiKeys({ rates, clock, isActive: (tenant) => this.isActive(tenant) })
  }

  /** Reads everything that is stored. */
  async load(): Promise<void> {
    const counter = (await this.documents.get(counterKind, userKind)) as
      CounterDocument | null | undefined
    this.userIdLast = counter?.last ?? 0
    for (const kind of [tenantKind, userKind, apiKeyKind]) {
      for (const { id, document } of await this.documents.list(kind)) {
        this.apply({ kind, id, document })
      }
    }
  }

  observe(watcher: AccountObserver): void {
    this.observers.push(watcher)
  }

  /** Whether a tenant's users and keys are good for anything. */
  isActive(tenant: number): boolean {
    return this.stateOf(tenant) === "active"
  }

  stateOf(tenant: number): TenantState {
    const known = this.tenants.get(tenant)
    return known === undefined ? "deleted" : (known.document.state ?? "active")
  }

  /**
   * Decides in `plan` on what to change, as everything stands then, and does it: all of it, synced,
   * or nothing. What `plan` throws is thrown on. Changes of other kinds are stored along.
   */
  change<T>(plan: () => Promise<PlannedChange<T>> | PlannedChange<T>): Promise<T> {
    if (this.waiting >= accountChangesWaitingMax) {
      throw new ServiceError("overloaded", "Too many changes of accounts at once", {
        retryAfterSeconds: 1,
      })
    }
    this.waiting++
    const done = this.turn.then(async () => {
      const { changes, result } = await plan()
      if (changes.length > 0) await this.documents.putAll(changes)
      for (const change of changes) this.apply(change)
      return result
    })
    const next = (): void => void this.waiting--
    this.turn = done.then(next, next)
    return done
  }

  /** A user id that nobody has had, and the change that keeps it from being given again. */
  nextUserId(): { id: number; counter: DocumentChange } {
    const id = this.userIdLast + 1
    const document: CounterDocument = { version: documentVersion, last: id }
    return { id, counter: { kind: counterKind, id: userKind, document } }
  }

  private apply({ kind, id, document }: DocumentChange): void {
    if (kind === tenantKind) this.applyTenant(id, document as TenantDocument)
    else if (kind === apiKeyKind) this.keys.set(id, document as ApiKeyDocument | null)
    else if (kind === userKind) this.applyUser(id, document as UserDocument | null)
    else if (kind === counterKind && id === userKind) {
      this.userIdLast = (document as CounterDocument).last
    }
  }

  private applyTenant(uuid: string, document: TenantDocument): void {
    const tenant = { uuid, document }
    this.tenants.set(document.index, tenant)
    this.keys.clearVerified()
    for (const watcher of this.observers) watcher.tenantChanged?.(tenant)
    for (const [email, user] of this.users) {
      if (user.tenant === document.index) this.notifyUserChanged(email)
    }
  }

  private applyUser(email: string, document: UserDocument | null): void {
    if (document === null) this.users.delete(email)
    else {
      this.users.set(email, document)
      // The first start makes its user without the counter.
      this.userIdLast = Math.max(this.userIdLast, document.id)
    }
    this.notifyUserChanged(email)
  }

  private notifyUserChanged(email: string): void {
    for (const watcher of this.observers) watcher.userChanged?.(email)
  }
}

/** What a change is going to store, and what whoever asked for it is answered. */
export interface PlannedChange<T> {
  readonly changes: readonly DocumentChange[]
  readonly result: T
}
