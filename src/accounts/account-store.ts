/**
 * The account store: tenants, users and keys as stored, in memory. Every change goes through
 * `change`, which stores the documents first and then applies the same documents to memory, so both
 * never differ. Changes run one at a time, so a plan is still valid when it is carried out.
 */

import type { Clock } from "../base/clock.ts"
import { Semaphore } from "../base/async.ts"
import { ServiceError } from "../base/errors.ts"
import { accountChangesWaitingMax } from "../base/limits/accounts.ts"
import type { TenantIndex } from "../model/ids.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { ApiKeys } from "./api-keys.ts"
import {
  apiKeyKind,
  counterDocumentKind,
  documentVersion,
  tenantKind,
  userKind,
} from "./documents.ts"
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

interface AccountStoreOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly rates: Rates
}

/** Notified after a change was stored. */
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
  private readonly mutex = new Semaphore(1, {
    waitersMax: accountChangesWaitingMax,
    refusal: () =>
      new ServiceError("overloaded", "Too many concurrent changes of accounts", {
        retryAfterSeconds: 1,
      }),
  })

  constructor({ documents, clock, rates }: AccountStoreOptions) {
    this.documents = documents
    this.keys = new ApiKeys({ rates, clock, isActive: (tenant) => this.isActive(tenant) })
  }

  /** Reads everything that is stored. */
  async load(): Promise<void> {
    const counter = (await this.documents.get(counterDocumentKind, userKind)) as
      CounterDocument | null | undefined
    this.userIdLast = counter?.last ?? 0
    for (const kind of [tenantKind, userKind, apiKeyKind]) {
      for (const { id, document } of await this.documents.list(kind)) {
        this.apply({ kind, id, document })
      }
    }
  }

  observe(observer: AccountObserver): void {
    this.observers.push(observer)
  }

  /** Whether a tenant's users and keys are accepted. */
  isActive(tenant: TenantIndex): boolean {
    return this.stateOf(tenant) === "active"
  }

  stateOf(tenant: TenantIndex): TenantState {
    const known = this.tenants.get(tenant)
    return known === undefined ? "deleted" : (known.document.state ?? "active")
  }

  /**
   * Calls `plan` with no other change under way, and stores its changes in one synced transaction.
   * Rejects with what `plan` throws, and with `overloaded` if too many changes wait. Changes of
   * documents of other kinds are stored in the same transaction.
   */
  change<T>(plan: () => Promise<PlannedChange<T>> | PlannedChange<T>): Promise<T> {
    return this.mutex.run(async () => {
      const { changes, result } = await plan()
      if (changes.length > 0) await this.documents.putAll(changes)
      for (const change of changes) this.apply(change)
      return result
    })
  }

  /** An unused user id, and the change of the counter that keeps it from being assigned again. */
  nextUserId(): { id: number; counter: DocumentChange } {
    const id = this.userIdLast + 1
    const document: CounterDocument = { version: documentVersion, last: id }
    return { id, counter: { kind: counterDocumentKind, id: userKind, document } }
  }

  private apply({ kind, id, document }: DocumentChange): void {
    if (kind === tenantKind) this.applyTenant(id, document as TenantDocument)
    else if (kind === apiKeyKind) this.keys.set(id, document as ApiKeyDocument | null)
    else if (kind === userKind) this.applyUser(id, document as UserDocument | null)
    else if (kind === counterDocumentKind && id === userKind) {
      this.userIdLast = (document as CounterDocument).last
    }
  }

  private applyTenant(uuid: string, document: TenantDocument): void {
    const tenant = { uuid, document }
    this.tenants.set(document.index, tenant)
    this.keys.clearVerified()
    for (const observer of this.observers) observer.tenantChanged?.(tenant)
    for (const [email, user] of this.users) {
      if (user.tenant === document.index) this.notifyUserChanged(email)
    }
  }

  private applyUser(email: string, document: UserDocument | null): void {
    if (document === null) this.users.delete(email)
    else {
      this.users.set(email, document)
      // The first start of older versions created its user without the counter.
      this.userIdLast = Math.max(this.userIdLast, document.id)
    }
    this.notifyUserChanged(email)
  }

  private notifyUserChanged(email: string): void {
    for (const observer of this.observers) observer.userChanged?.(email)
  }
}

/** The documents of a change and the result for its caller. */
export interface PlannedChange<T> {
  readonly changes: readonly DocumentChange[]
  readonly result: T
}
