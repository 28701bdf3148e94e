/**
 * Collection: records of one kind, of all tenants, each tenant seeing its own only. Every read goes
 * to the store and every write is synced when it resolves; nothing is cached, so there is nothing
 * to keep equal.
 *
 *   documents   "<kind>:<tenant>" / id    { version, createdMs, updatedMs, body }
 *               "counter" / "<kind>"      the last number given as an id, to any tenant
 */

import type { Clock } from "../../base/clock.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { Random } from "../../base/random.ts"
import type { DocumentChange, DocumentStore, IdRange } from "../../model/document.ts"
import { createRecordMutex } from "./record-mutex.ts"

/** What a collection needs of the world. */
export interface RecordsDeps {
  readonly documents: DocumentStore
  readonly clock: Clock
  readonly random: Random
}

export interface RecordCollectionOptions {
  /** Part of the key in the store; letters only. */
  readonly kind: string
  /** What messages call one of them, e.g. "dashboard". */
  readonly noun: string
  /** What `create` gives as ids: random UUIDs, or numbers that are never given twice. */
  readonly ids: "uuid" | "number"
  /** Numbers up to this one were given to the tenant by somebody else; 0 where absent. */
  readonly reservedIdMax?: (tenant: number) => Promise<number>
  /** Records of one tenant. */
  readonly countMax: number
  /** Bytes of one record as JSON; `recordBytesMax` where absent. */
  readonly bytesMax?: number
}

/** One record as it is kept. */
export interface StoredRecord<Body> {
  /** A UUID in lower case, or a decimal number. */
  readonly id: string
  readonly createdMs: number
  readonly updatedMs: number
  readonly body: Body
}

/** The document of a record; a change of this form raises its version. */
interface RecordDocument<Body> {
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
  readonly body: Body
}

const documentVersion = 1
const counterKind = "counter"

/** A widget with fifty metrics takes 10 kB. */
export const recordBytesMax = 64 * 1024

/** Changes of other records that belong into the same transaction. */
export type RelatedChanges<Body> = (
  stored: readonly StoredRecord<Body>[],
) => readonly DocumentChange[]

const noChanges = (): readonly DocumentChange[] => []

export class RecordCollection<Body> {
  private readonly options: RecordCollectionOptions
  private readonly deps: RecordsDeps
  private readonly mutex = createRecordMutex()
  /** By tenant, from the first creation on. */
  private readonly counts = new Map<number, number>()

  constructor(options: RecordCollectionOptions, world: RecordsDeps) {
    this.options = options
    this.deps = world
  }

  /** The record, or undefined; a foreign tenant's is as good as none. */
  async find(tenant: number, id: string): Promise<StoredRecord<Body> | undefined> {
    if (!isId(id)) return undefined
    const document = await this.deps.documents.get(this.kindOf(tenant), id)
    return document === undefined ? undefined : storedOf<Body>(id, document)
  }

  /** The record; throws `missing` where there is none. */
  async get(tenant: number, id: string): Promise<StoredRecord<Body>> {
    const stored = await this.find(tenant, id)
    if (stored === undefined) throw this.missingError(id)
    return stored
  }

  /** All of a tenant's, or those with ids in `range`: by number, or oldest first. */
  async list(tenant: number, range?: IdRange): Promise<StoredRecord<Body>[]> {
    const found = await this.deps.documents.list(this.kindOf(tenant), range)
    const records = found.map(({ id, document }) => storedOf<Body>(id, document))
    return records.sort(this.options.ids === "number" ? byNumber : byCreation)
  }

  /** A new record under an id of its own. Throws `invalid` over `countMax` or `bytesMax`. */
  async create(
    tenant: number,
    body: Body,
    also?: RelatedChanges<Body>,
  ): Promise<StoredRecord<Body>> {
    const [stored] = await this.createAll(tenant, [body], also)
    return stored!
  }

  /** New records, all or none; `also` is stored in the same transaction. */
  createAll(
    tenant: number,
    bodies: readonly Body[],
    also: RelatedChanges<Body> = noChanges,
  ): Promise<StoredRecord<Body>[]> {
    // Numbers are given to all tenants from one counter, so one at a time.
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
   * Replaces a record's body by what `to` makes of it, one change of a record at a time. Throws
   * `missing` where there is none; nothing is stored where `to` throws.
   */
  change(
    tenant: number,
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

  /** Creates or replaces the record under an id that the caller chose; `createdMs` stays. */
  put(tenant: number, id: string, body: Body): Promise<StoredRecord<Body>> {
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

  /** Removes a record, and answers what it was; throws `missing` where there is none. */
  remove(
    tenant: number,
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

  /** The error for an id that names nothing. */
  missingError(id: string): ServiceError {
    const shown = id.length > idCharactersMax ? `${id.slice(0, idCharactersMax)}…` : id
    return new ServiceError("missing", `Expected the id of a ${this.options.noun}, got "${shown}"`)
  }

  /** A change for a transaction of somebody else. Throws `invalid` where the record is too large. */
  putChange(
    tenant: number,
    { id, createdMs, updatedMs, body }: StoredRecord<Body>,
  ): DocumentChange {
    const { noun, bytesMax = recordBytesMax } = this.options
    const bytes = Buffer.byteLength(JSON.stringify(body))
    if (bytes > bytesMax) {
      throw invalid(`Expected a ${noun} of at most ${bytesMax} bytes as JSON, got ${bytes}`)
    }
    const document: RecordDocument<Body> = { version: documentVersion, createdMs, updatedMs, body }
    return { kind: this.kindOf(tenant), id, document }
  }

  /** A change for a transaction of somebody else. */
  deleteChange(tenant: number, id: string): DocumentChange {
    return { kind: this.kindOf(tenant), id, document: null }
  }

  /** The number of a tenant's records changed by a transaction of somebody else. */
  adjustCount(tenant: number, by: number): void {
    const count = this.counts.get(tenant)
    if (count !== undefined) this.counts.set(tenant, count + by)
  }

  /** Throws `invalid` where `more` records do not fit beside those that there are. */
  async checkCapacity(tenant: number, more: number): Promise<void> {
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

  /** Work of somebody else on several records: no other change of one of them comes between. */
  runExclusive<Result>(
    tenant: number,
    ids: readonly string[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.mutex.runAll(
      ids.map((id) => `${this.kindOf(tenant)}/${id}`),
      work,
    )
  }

  private runExclusiveOne<Result>(tenant: number, id: string, work: () => Promise<Result>) {
    return this.mutex.run(`${this.kindOf(tenant)}/${id}`, work)
  }

  private async newIds(
    tenant: number,
    count: number,
  ): Promise<{ ids: string[]; counter: DocumentChange[] }> {
    const { kind, ids, reservedIdMax } = this.options
    if (ids === "uuid") {
      return { ids: Array.from({ length: count }, () => this.deps.random.uuid()), counter: [] }
    }
    const known = (await this.deps.documents.get(counterKind, kind)) as Counter | undefined
    const last = Math.max(known?.last ?? 0, (await reservedIdMax?.(tenant)) ?? 0)
    const document: Counter = { version: documentVersion, last: last + count }
    return {
      ids: Array.from({ length: count }, (_, i) => String(last + 1 + i)),
      counter: [{ kind: counterKind, id: kind, document }],
    }
  }

  private kindOf(tenant: number): string {
    return `${this.options.kind}:${tenant}`
  }
}

interface Counter {
  readonly version: number
  readonly last: number
}

/** Ours are shorter; and a path may hold anything, also what no key of the store can. */
const idCharactersMax = 128

function isId(id: string): boolean {
  return id.length > 0 && id.length <= idCharactersMax && !id.includes("\0")
}

function storedOf<Body>(id: string, document: unknown): StoredRecord<Body> {
  const { createdMs, updatedMs, body } = document as RecordDocument<Body>
  return { id, createdMs, updatedMs, body }
}

function byNumber(one: { id: string }, other: { id: string }): number {
  return Number(one.id) - Number(other.id)
}

function byCreation(one: StoredRecord<unknown>, other: StoredRecord<unknown>): number {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1)
}
