/** Policies: stored, listed, muted. What they find comes from the engine. */

import type { DocumentChange } from "../../model/document.ts"
import type { Policy } from "../../model/records/policy.ts"
import { PolicySet } from "../../policy/policy-set.ts"
import { readPolicy } from "../../wire/records/policy-body.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"

/** Community packages bring ten each. */
const policiesMax = 10_000

const muteKind = "policyMute"

/** Longest time for which a policy may be muted: a year of silence is meant to be disabling. */
export const muteMsMax = 366 * 86_400_000

export class Policies {
  private readonly collection: RecordCollection<Policy>
  private readonly deps: RecordsDeps
  /** By tenant, from the first question on until a policy changes. */
  private readonly sets = new Map<number, Promise<PolicySet>>()

  constructor(world: RecordsDeps) {
    const options = { kind: "policy", noun: "policy", ids: "uuid", countMax: policiesMax } as const
    this.collection = new RecordCollection(options, world)
    this.deps = world
  }

  /** Those that are not deleted, oldest first. */
  async list(tenant: number): Promise<StoredRecord<Policy>[]> {
    const all = await this.collection.list(tenant)
    return all.filter(({ body }) => !body.deleted)
  }

  /** Throws `missing` where there is none, or it was deleted. */
  async get(tenant: number, id: string): Promise<StoredRecord<Policy>> {
    const stored = await this.collection.get(tenant, id)
    if (stored.body.deleted) throw this.collection.missingError(id)
    return stored
  }

  /** Those that are enabled and not deleted, made ready. */
  async activeSet(tenant: number): Promise<PolicySet> {
    const known = this.sets.get(tenant)
    if (known !== undefined) return known
    const read = this.collection
      .list(tenant)
      .then((all) => new PolicySet(all.map(({ id, body }) => ({ ...body, id }))))
    this.sets.set(tenant, read)
    read.catch(() => this.invalidate(tenant))
    return read
  }

  /** Has the policies read anew: for whoever stored some in a transaction of its own. */
  invalidate(tenant: number): void {
    this.sets.delete(tenant)
  }

  /** Throws `invalid` where the body is no policy. */
  create(tenant: number, body: unknown, creatorEmail: string): Promise<StoredRecord<Policy>> {
    return this.invalidatingAfter(tenant, () =>
      this.collection.create(tenant, readPolicy(body, { former: null, creatorEmail })),
    )
  }

  /** Fields that the body does not name stay as they are; and so does who created the policy. */
  change(tenant: number, id: string, body: unknown): Promise<StoredRecord<Policy>> {
    return this.invalidatingAfter(tenant, () =>
      this.collection.change(tenant, id, (former) => {
        if (former.body.deleted) throw this.collection.missingError(id)
        return readPolicy(body, { former: former.body, creatorEmail: former.body.creatorEmail })
      }),
    )
  }

  /** Marks a policy as deleted and ends its silence; nobody sees it from then on. */
  async remove(tenant: number, id: string): Promise<void> {
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

  /** Silences the notifications of a policy for so long from now. */
  async mute(tenant: number, id: string, muteMs: number): Promise<void> {
    await this.get(tenant, id)
    const untilMs = this.deps.clock.nowMs() + muteMs
    await this.deps.documents.putAll([this.muteChange(tenant, id, untilMs)])
  }

  /** Ends the silence of a policy, if there is one. */
  async unmute(tenant: number, id: string): Promise<void> {
    await this.get(tenant, id)
    await this.deps.documents.putAll([this.muteChange(tenant, id, null)])
  }

  /** When the silence of each muted policy ends. */
  async mutes(tenant: number): Promise<Map<string, number>> {
    const nowMs = this.deps.clock.nowMs()
    const found = await this.deps.documents.list(`${muteKind}:${tenant}`)
    const ends = found.map(({ id, document }) => [id, (document as Mute).untilMs] as const)
    return new Map(ends.filter(([, untilMs]) => untilMs > nowMs))
  }

  /** Removes for good what was deleted before `oldestMs`, when no event tells of it any more. */
  async purgeDeleted(tenant: number, oldestMs: number): Promise<void> {
    for (const { id, body, updatedMs } of await this.collection.list(tenant)) {
      if (body.deleted && updatedMs < oldestMs) await this.collection.remove(tenant, id)
    }
  }

  /** The record, deleted or not; undefined where there never was one or it is forgotten. */
  find(tenant: number, id: string): Promise<StoredRecord<Policy> | undefined> {
    return this.collection.find(tenant, id)
  }

  /** Work of somebody else on several policies: no other change of one of them comes between. */
  runExclusive<Result>(tenant: number, ids: readonly string[], work: () => Promise<Result>) {
    return this.collection.runExclusive(tenant, ids, work)
  }

  /** Changes that store a policy as it is, for a transaction of somebody else. */
  putChanges(tenant: number, stored: StoredRecord<Policy>): DocumentChange[] {
    return [this.collection.putChange(tenant, stored)]
  }

  /** Changes that delete a policy as `remove` does, for a transaction of somebody else. */
  deleteChanges(tenant: number, stored: StoredRecord<Policy>): DocumentChange[] {
    const updatedMs = this.deps.clock.nowMs()
    const deleted = { ...stored, updatedMs, body: { ...stored.body, deleted: true } }
    return [this.collection.putChange(tenant, deleted), this.muteChange(tenant, stored.id, null)]
  }

  /** Throws `invalid` where `more` policies do not fit beside those that there are. */
  checkCapacity(tenant: number, more: number): Promise<void> {
    return this.collection.checkCapacity(tenant, more)
  }

  /** A transaction of somebody else made so many more policies. */
  adjustCount(tenant: number, more: number): void {
    this.collection.adjustCount(tenant, more)
  }

  private async invalidatingAfter<Result>(
    tenant: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } finally {
      this.invalidate(tenant)
    }
  }

  private muteChange(tenant: number, id: string, untilMs: number | null): DocumentChange {
    const document: Mute | null = untilMs === null ? null : { untilMs }
    return { kind: `${muteKind}:${tenant}`, id, document }
  }
}

interface Mute {
  readonly untilMs: number
}
