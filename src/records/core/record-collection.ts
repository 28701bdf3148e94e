/**
 * A record collection is the repository of one kind of records. Each tenant sees only its own.
 * Every read goes to the store, and every write is synced when it resolves; records are not cached.
 *
 *   documents   "<kind>:<tenant>" / id    { version, createdMs, updatedMs, body }
 *               "counter" / "<kind>"      the last number assigned as an id, to any tenant
 */

import { assert } from "../../base/assert.ts"
import type { Clock } from "../../base/clock.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore, IdRange } from "../../model/document.ts"
import { createRecordMutex } from "./record-mutex.ts"

export interface RecordsDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
}

interface RecordCollectionOptions {
  /** Prefix of the document kind; letters only. */
  readonly kind: string
  /** Name of a record in messages, e.g. "dashboard". */
  readonly noun: string
  /** Ids of new records: random UUIDs, or numbers that are never assigned twice. */
  readonly ids: "uuid" | "number"
  /** The highest number that was assigned to the tenant elsewhere; 0 if absent. */
  readonly reservedIdMax?: (tenant: TenantIndex) => Promise<number>
  /** Limit of records per tenant. */
  readonly countMax: number
  /** Limit of one record's bytes as JSON; `recordBytesMax` if absent. */
  readonly bytesMax?: number
}

/** One record as it is stored. */
export interface StoredRecord<Body> {
  /** A UUID in lower case, or a decimal number. */
  readonly id: string
  readonly createdMs: number
  readonly updatedMs: number
  readonly body: Body
}

/** The document of a record; a change of this format raises its version. */
interface RecordDocument<Body> {
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly body: Body
}

const documentVersion = 1
const counterKind = "counter"

/** A widget with fifty metrics takes 10 kB. */
const recordBytesMax = 64 * 1024

/** Changes of other documents in the same transaction, derived from the stored records. */
export type RelatedChanges<Body> = (
  stored: readonly StoredRecord<Body>[],
) => readonly DocumentChange[]

const noChanges = (): readonly DocumentChange[] => []

export class RecordCollection<Body> {
  private readonly options: RecordCollectionOptions
  private readonly deps: RecordsDeps
  private readonly mutex = createRecordMutex()
  /** Number of records by tenant, from the tenant's first creation on. */
  private readonly counts = new Map<number, number>()

  constructor(options: RecordCollectionOptions, deps: RecordsDeps) {
    this.options = options
    this.deps = deps
  }

  /** The record, or undefined; records of other tenants are not found. */
  async find(tenant: TenantIndex, id: string): Promise<StoredRecord<Body> | undefined> {
    if (!isId(id)) return undefined
    const document = await this.deps.documents.get(this.kindOf(tenant), id)
    return document === undefined ? undefined : storedOf<Body>(id, document)
  }

  /** The record; throws `missing` if there is none. */
  async get(tenant: TenantIndex, id: string): Promise<StoredRecord<Body>> {
    const stored = await this.find(tenant, id)
    if (stored === undefined) throw this.missingError(id)
    return stored
  }

  /** All records of a tenant, or those with ids in `range`: by number, or oldest first. */
  async list(tenant: TenantIndex, range?: IdRange): Promise<StoredRecord<Body>[]> {
    const found = await this.deps.documents.list(this.kindOf(tenant), range)
    const records = found.map(({ id, document }) => storedOf<Body>(id, document))
    return records.sort(this.options.ids === "number" ? byNumber : byCreation)
  }

  /** Creates a record with a new id. Throws `invalid` over `countMax` or `bytesMax`. */
  async create(
    tenant: TenantIndex,
    body: Body,
    also?: RelatedChanges<Body>,
  ): Promise<StoredRecord<Body>> {
    const [stored] = await this.createAll(tenant, [body], also)
    return stored!
  }

  /** Creates all of the records or none; `also` is stored in the same transaction. */
  createAll(
    tenant: TenantIndex,
    bodies: readonly Body[],
    also: RelatedChanges<Body> = noChanges,
  ): Promise<StoredRecord<Body>[]> {
    // All tenants share one counter of numbers, so creations run one at a time.
    return this.mutex.run(this.options.kind, async () => {
      await this.checkCapacity(tenant, bodies.length)
      const { ids, counter } = await this.newIds(tenant, bodies.length)
      const nowMs = this.deps.clock.nowMs()
      const times = { createdMs: nowMs, updatedMs: nowMs }
      const created = bodies.map((body, i) => ({ id: ids[i]!, ...times, body }))
      const changes = created.map((stored) => this.putChange(tenant, stored))
      await this.deps.documents.putAll([...changes, ...counter, ...also(created)])
      this.adjustCount(tenant, bodies.length)
      return created
    })
  }

  /**
   * Replaces a record's body by the result of `to`, with no other change of the record under way.
   * Throws `missing` if there is none; stores nothing if `to` throws.
   */
  change(
    tenant: TenantIndex,
    id: string,
    to: (stored: StoredRecord<Body>) => Body | Promise<Body>,
    also: RelatedChanges<Body> = noChanges,
  ): Promise<StoredRecord<Body>> {
    return this.runExclusiveOne(tenant, id, async () => {
      const former = await this.get(tenant, id)
      const body = await to(former)
      const stored = { ...former, body, updatedMs: this.deps.clock.nowMs() }
      await this.deps.documents.putAll([this.putChange(tenant, stored), ...also([stored])])
      return stored
    })
  }

  /** Creates or replaces the record under an id chosen by the caller; `createdMs` stays. */
  put(tenant: TenantIndex, id: string, body: Body): Promise<StoredRecord<Body>> {
    return this.runExclusiveOne(tenant, id, async () => {
      const former = await this.find(tenant, id)
      if (former === undefined) await this.checkCapacity(tenant, 1)
      const nowMs = this.deps.clock.nowMs()
      const stored = { id, createdMs: former?.createdMs ?? nowMs, updatedMs: nowMs, body }
      await this.deps.documents.putAll([this.putChange(tenant, stored)])
      if (former === undefined) this.adjustCount(tenant, 1)
      return stored
    })
  }

  /** Removes a record and returns it; throws `missing` if there is none. */
  remove(
    tenant: TenantIndex,
    id: string,
    also: RelatedChanges<Body> = noChanges,
  ): Promise<StoredRecord<Body>> {
    return this.runExclusiveOne(tenant, id, async () => {
      const stored = await this.get(tenant, id)
      await this.deps.documents.putAll([this.deleteChange(tenant, id), ...also([stored])])
      this.adjustCount(tenant, -1)
      return stored
    })
  }

  /** The error for an id without a record. */
  missingError(id: string): ServiceError {
    const shown = id.length > idCharactersMax ? `${id.slice(0, idCharactersMax)}…` : id
    return new ServiceError("missing", `Expected the id of a ${this.options.noun}, got "${shown}"`)
  }

  /**
   * The change that stores a record, for a transaction of the caller. Throws `invalid` if too
   * large.
   */
  putChange(
    tenant: TenantIndex,
    { id, createdMs, updatedMs, body }: StoredRecord<Body>,
  ): DocumentChange {
    const { noun, bytesMax = recordBytesMax } = this.options
    const bytes = Buffer.byteLength(JSON.stringify(body))
    if (bytes > bytesMax) {
      throw invalid(`Expected a ${noun} of at most ${bytesMax} bytes as JSON, got ${bytes}`)
    }
    assert(isId(id), "Expected an id that a key can hold")
    const document: RecordDocument<Body> = { version: documentVersion, createdMs, updatedMs, body }
    return { kind: this.kindOf(tenant), id, document }
  }

  /** The change that removes a record, for a transaction of the caller. */
  deleteChange(tenant: TenantIndex, id: string): DocumentChange {
    return { kind: this.kindOf(tenant), id, document: null }
  }

  /** Adjusts the number of a tenant's records after a transaction of the caller. */
  adjustCount(tenant: TenantIndex, by: number): void {
    const count = this.counts.get(tenant)
    if (count === undefined) return
    assert(count + by >= 0, `Expected at least ${-by} records, got ${count}`)
    this.counts.set(tenant, count + by)
  }

  /** Throws `invalid` if `more` additional records exceed `countMax`. */
  async checkCapacity(tenant: TenantIndex, more: number): Promise<void> {
    const { noun, countMax } = this.options
    let count = this.counts.get(tenant)
    if (count === undefined) {
      count = (await this.deps.documents.list(this.kindOf(tenant))).length
      this.counts.set(tenant, count)
    }
    if (count + more > countMax) {
      throw invalid(`Expected at most ${countMax} records of the kind ${noun}, got one more`)
    }
  }

  /** Calls `work` with no other change of these records under way. */
  runExclusive<Result>(
    tenant: TenantIndex,
    ids: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.mutex.runAll(
      ids.map((id) => `${this.kindOf(tenant)}/${id}`),
      work,
    )
  }

  private runExclusiveOne<Result>(tenant: TenantIndex, id: string, work: () => Promise<Result>) {
    return this.mutex.run(`${this.kindOf(tenant)}/${id}`, work)
  }

  private async newIds(
    tenant: TenantIndex,
    count: number,
  ): Promise<{ ids: string[]; counter: DocumentChange[] }> {
    const { kind, ids, reservedIdMax } = this.options
    if (ids === "uuid") {
      return { ids: Array.from({ length: count }, () => this.deps.random.uuid()), counter: [] }
    }
    const known = (await this.deps.documents.get(counterKind, kind)) as Counter | undefined
    const last = Math.max(known?.last ?? 0, (await reservedIdMax?.(tenant)) ?? 0)
    assert(Number.isSafeInteger(last + count), `Expected an id that is exact, got ${last + count}`)
    const document: Counter = { version: documentVersion, last: last + count }
    return {
      ids: Array.from({ length: count }, (_, i) => String(last + 1 + i)),
      counter: [{ kind: counterKind, id: kind, document }],
    }
  }

  private kindOf(tenant: TenantIndex): string {
    return `${this.options.kind}:${tenant}`
  }
}

interface Counter {
  readonly version: number
  readonly last: number
}

/** Our ids are shorter; ids in paths may be any text, including ones that no key can hold. */
const idCharactersMax = 128

function isId(id: string): boolean {
  return id.length > 0 && id.length <= idCharactersMax && !id.includes("\0")
}

function storedOf<Body>(id: string, document: unknown): StoredRecord<Body> {
  const { version, createdMs, updatedMs, body } = document as RecordDocument<Body>
  assert(version === documentVersion, `Expected record ${id} in version ${documentVersion}`)
  return { id, createdMs, updatedMs, body }
}

function byNumber(one: { id: string }, other: { id: string }): number {
  return Number(one.id) - Number(other.id)
}

function byCreation(one: StoredRecord<unknown>, other: StoredRecord<unknown>): number {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1)
}
