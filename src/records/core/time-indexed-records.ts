/**
 * Time-indexed records: documents of a tenant ordered by time, so that a window is one range of
 * keys, with an index by id.
 *
 *   "<kind>:<tenant>"      / time and id    the record
 *   "<kind>Time:<tenant>"  / id             { timeMs }
 */

import { pushAll } from "../../base/iterables.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange, DocumentStore, StoredDocument } from "../../model/document.ts"
import type { Span } from "../../model/span.ts"
import { keyAfter, timeIndexedKind, timeKeyPrefix } from "../../model/records/time-key.ts"

export interface TimeIndexed {
  readonly id: string
  readonly timeMs: number
}

/** Records read by one request to the shard's thread: about 5 ms between two ingest batches. */
const pageRecordsMax = 1_000

export class TimeIndexedRecords<Record extends TimeIndexed> {
  private readonly kind: string
  private readonly documents: DocumentStore

  constructor(kind: string, documents: DocumentStore) {
    this.kind = kind
    this.documents = documents
  }

  /** The record, or undefined; records of other tenants are not found. */
  async find(tenant: TenantIndex, id: string): Promise<Record | undefined> {
    if (id.length > idCharactersMax || id.includes("\0")) return undefined
    const time = await this.documents.get(this.timeKind(tenant), id)
    if (time === undefined) return undefined
    const { timeMs } = time as { timeMs: number }
    const found = await this.documents.get(this.recordKind(tenant), keyOf({ id, timeMs }))
    return found as Record | undefined
  }

  /** The records with a time in `span`, oldest first, page by page. */
  async *pages(tenant: TenantIndex, span: Span): AsyncGenerator<Record[]> {
    const to = timeKeyPrefix(span.endMs)
    let from = timeKeyPrefix(span.startMs)
    while (true) {
      const range = { from, to, limit: pageRecordsMax }
      const page = await this.documents.list(this.recordKind(tenant), range)
      if (page.length > 0) yield page.map(recordOf<Record>)
      if (page.length < pageRecordsMax) return
      from = keyAfter(page.at(-1)!.id)
    }
  }

  /** The same newest first; with `before`, those before that record in time and id. */
  async *pagesBack(
    tenant: TenantIndex,
    span: Span,
    before: TimeIndexed | null = null,
  ): AsyncGenerator<Record[]> {
    const from = timeKeyPrefix(span.startMs)
    let to = timeKeyPrefix(span.endMs)
    if (before !== null && keyOf(before) < to) to = keyOf(before)
    while (from < to) {
      const range = { from, to, limit: pageRecordsMax, isReversed: true }
      const page = await this.documents.list(this.recordKind(tenant), range)
      if (page.length > 0) yield page.map(recordOf<Record>)
      if (page.length < pageRecordsMax) return
      to = page.at(-1)!.id
    }
  }

  /** Changes that store a record, for a transaction of the caller. Its time must never change. */
  putChanges(tenant: TenantIndex, record: Record): DocumentChange[] {
    const { id, timeMs } = record
    return [
      { kind: this.recordKind(tenant), id: keyOf(record), document: record },
      { kind: this.timeKind(tenant), id, document: { timeMs } },
    ]
  }

  /** Changes that remove a record, for a transaction of the caller. */
  deleteChanges(tenant: TenantIndex, { id, timeMs }: TimeIndexed): DocumentChange[] {
    return [
      { kind: this.recordKind(tenant), id: keyOf({ id, timeMs }), document: null },
      { kind: this.timeKind(tenant), id, document: null },
    ]
  }

  /**
   * Removes the records of `span` that `shouldRemove` selects, with what `others` says about each,
   * one transaction a page; returns their number.
   */
  async removeWhere(
    tenant: TenantIndex,
    span: Span,
    shouldRemove: (record: Record) => boolean,
    others: (record: Record) => Promise<readonly DocumentChange[]> = async () => [],
  ): Promise<number> {
    let removed = 0
    for await (const page of this.pages(tenant, span)) {
      const gone = page.filter(shouldRemove)
      if (gone.length === 0) continue
      const changes = gone.flatMap((record) => this.deleteChanges(tenant, record))
      for (const record of gone) pushAll(changes, await others(record))
      await this.documents.putAll(changes)
      removed += gone.length
    }
    return removed
  }

  private recordKind(tenant: TenantIndex): string {
    return timeIndexedKind(this.kind, tenant)
  }

  private timeKind(tenant: TenantIndex): string {
    return timeIndexedKind(`${this.kind}Time`, tenant)
  }
}

/** Our ids are UUIDs; ids in paths may be any text. */
const idCharactersMax = 128

function keyOf({ id, timeMs }: TimeIndexed): string {
  return `${timeKeyPrefix(timeMs)}:${id}`
}

function recordOf<Record>({ document }: StoredDocument): Record {
  return document as Record
}
