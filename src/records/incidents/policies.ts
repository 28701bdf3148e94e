/** The repository of policies and their mutes. Evaluation is in `policy/` and `cycle/`. */

import type { TenantIndex } from "../../model/ids.ts"
import type { DocumentChange } from "../../model/document.ts"
import type { Policy } from "../../model/records/policy.ts"
import { PolicySet } from "../../policy/policy-set.ts"
import { readPolicy } from "../../wire/records/policy-body.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"

/** Limit per tenant; community packages have ten policies each. */
const policiesMax = 10_000

const muteKind = "policyMute"

/** Longest mute of a policy: a year; a longer one should be disabling the policy. */
export const muteMsMax = 366 * 86_400_000

export class Policies {
  private readonly collection: RecordCollection<Policy>
  private readonly deps: RecordsDeps
  /** By tenant, from its first use until a policy changes. */
  private readonly sets = new Map<number, Promise<PolicySet>>()

  constructor(deps: RecordsDeps) {
    const options = { kind: "policy", noun: "policy", ids: "uuid", countMax: policiesMax } as const
    this.collection = new RecordCollection(options, deps)
    this.deps = deps
  }

  /** All policies that are not deleted, oldest first. */
  async list(tenant: TenantIndex): Promise<StoredRecord<Policy>[]> {
    const all = await this.collection.list(tenant)
    return all.filter(({ body }) => !body.deleted)
  }

  /** Throws `missing` if there is none or it is deleted. */
  async get(tenant: TenantIndex, id: string): Promise<StoredRecord<Policy>> {
    const stored = await this.collection.get(tenant, id)
    if (stored.body.deleted) throw this.collection.missingError(id)
    return stored
  }

  /** The enabled policies, compiled for evaluation. */
  async activeSet(tenant: TenantIndex): Promise<PolicySet> {
    const known = this.sets.get(tenant)
    if (known !== undefined) return known
    const read = this.collection
      .list(tenant)
      .then((all) => new PolicySet(all.map(({ id, body }) => ({ ...body, id }))))
    this.sets.set(tenant, read)
    read.catch(() => this.invalidate(tenant))
    return read
  }

  /** Drops the compiled policies; to be called after policies were stored by other transactions. */
  invalidate(tenant: TenantIndex): void {
    this.sets.delete(tenant)
  }

  /** Creates a policy. Throws `invalid` for a body that is not a policy. */
  create(tenant: TenantIndex, body: unknown, creatorEmail: string): Promise<StoredRecord<Policy>> {
    return this.invalidatingAfter(tenant, () =>
      this.collection.create(tenant, readPolicy(body, { former: null, creatorEmail })),
    )
  }

  /** Changes the fields that the body has; the creator stays. */
  change(tenant: TenantIndex, id: string, body: unknown): Promise<StoredRecord<Policy>> {
    return this.invalidatingAfter(tenant, () =>
      this.collection.change(tenant, id, (former) => {
        if (former.body.deleted) throw this.collection.missingError(id)
        return readPolicy(body, { former: former.body, creatorEmail: former.body.creatorEmail })
      }),
    )
  }

  /** Marks a policy as deleted and removes its mute; it is not listed any more. */
  async remove(tenant: TenantIndex, id: string): Promise<void> {
    await this.invalidatingAfter(tenant, () =>
      this.collection.change(
        tenant,
        id,
        ({ body }) => {
          if (body.deleted) throw this.collection.missingError(id)
          return { ...body, deleted: true }
        },
        () => [this.muteChange(tenant, id, null)],
      ),
    )
  }

  /** Mutes the notifications of a policy for `muteMs` from now. */
  async mute(tenant: TenantIndex, id: string, muteMs: number): Promise<void> {
    await this.get(tenant, id)
    const untilMs = this.deps.clock.nowMs() + muteMs
    await this.deps.documents.putAll([this.muteChange(tenant, id, untilMs)])
  }

  /** Ends the mute of a policy, if there is one. */
  async unmute(tenant: TenantIndex, id: string): Promise<void> {
    await this.get(tenant, id)
    await this.deps.documents.putAll([this.muteChange(tenant, id, null)])
  }

  /** The end of each current mute, by policy. */
  async mutes(tenant: TenantIndex): Promise<Map<string, number>> {
    const nowMs = this.deps.clock.nowMs()
    const found = await this.deps.documents.list(`${muteKind}:${tenant}`)
    const ends = found.map(({ id, document }) => [id, (document as Mute).untilMs] as const)
    return new Map(ends.filter(([, untilMs]) => untilMs > nowMs))
  }

  /** Removes policies deleted before `oldestMs`, to which no retained event refers. */
  async purgeDeleted(tenant: TenantIndex, oldestMs: number): Promise<void> {
    for (const { id, body, updatedMs } of await this.collection.list(tenant)) {
      if (body.deleted && updatedMs < oldestMs) await this.collection.remove(tenant, id)
    }
  }

  /** The record, deleted or not; undefined if there never was one or it was purged. */
  find(tenant: TenantIndex, id: string): Promise<StoredRecord<Policy> | undefined> {
    return this.collection.find(tenant, id)
  }

  /** Calls `work` with no other change of these policies under way. */
  runExclusive<Result>(tenant: TenantIndex, ids: readonly string[], work: () => Promise<Result>) {
    return this.collection.runExclusive(tenant, ids, work)
  }

  /** Changes that store a policy unchanged, for a transaction of the caller. */
  putChanges(tenant: TenantIndex, stored: StoredRecord<Policy>): DocumentChange[] {
    return [this.collection.putChange(tenant, stored)]
  }

  /** Changes that delete a policy as `remove` does, for a transaction of the caller. */
  deleteChanges(tenant: TenantIndex, stored: StoredRecord<Policy>): DocumentChange[] {
    const updatedMs = this.deps.clock.nowMs()
    const deleted = { ...stored, updatedMs, body: { ...stored.body, deleted: true } }
    return [this.collection.putChange(tenant, deleted), this.muteChange(tenant, stored.id, null)]
  }

  /** Throws `invalid` if `more` additional policies exceed the limit. */
  checkCapacity(tenant: TenantIndex, more: number): Promise<void> {
    return this.collection.checkCapacity(tenant, more)
  }

  /** Adjusts the count after a transaction of the caller created `more` policies. */
  adjustCount(tenant: TenantIndex, more: number): void {
    this.collection.adjustCount(tenant, more)
  }

  private async invalidatingAfter<Result>(
    tenant: TenantIndex,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } finally {
      this.invalidate(tenant)
    }
  }

  private muteChange(tenant: TenantIndex, id: string, untilMs: number | null): DocumentChange {
    const document: Mute | null = untilMs === null ? null : { untilMs }
    return { kind: `${muteKind}:${tenant}`, id, document }
  }
}

interface Mute {
  readonly untilMs: number
}
