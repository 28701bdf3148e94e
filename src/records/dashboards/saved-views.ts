/**
 * The repository of saved views (spec/search §5). A user sees their own and the shared ones, and
 * changes their own; administrators also change shared ones, whose creator may be gone.
 */

import { invalid, ServiceError } from "../../base/errors.ts"
import { viewsMax, viewsPerUserMax } from "../../base/limits/search.ts"
import type { NewViewFields, SavedView, ViewFields } from "../../wire/search/saved-view.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Caller } from "../core/caller.ts"
import { createRecordMutex } from "../core/record-mutex.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"

/** A user of the API; `mayShare`: whether they change what others see. */
export interface ViewCaller extends Caller {
  readonly mayShare: boolean
}

export class SavedViews {
  private readonly collection: RecordCollection<SavedView>
  private readonly creations = createRecordMutex()

  constructor(deps: RecordsDeps) {
    const options = { kind: "view", noun: "view", ids: "uuid", countMax: viewsMax } as const
    this.collection = new RecordCollection(options, deps)
  }

  /** The views that the caller sees, by name. */
  async list(caller: Caller): Promise<StoredRecord<SavedView>[]> {
    const all = await this.collection.list(caller.tenant)
    return all
      .filter((view) => isViewVisible(view.body, caller))
      .sort((one, other) => (one.body.name < other.body.name ? -1 : 1))
  }

  /** All views of a tenant, of which callers see a part (`isViewVisible`). */
  all(tenant: TenantIndex): Promise<StoredRecord<SavedView>[]> {
    return this.collection.list(tenant)
  }

  /** Throws `missing` if there is none or the caller does not see it. */
  async get(caller: Caller, id: string): Promise<StoredRecord<SavedView>> {
    const view = await this.collection.get(caller.tenant, id)
    if (!isViewVisible(view.body, caller)) throw this.collection.missingError(id)
    return view
  }

  /**
   * Throws `forbidden` for a shared view of a caller who may not share, `invalid` if the caller has
   * `viewsPerUserMax`.
   */
  create(caller: ViewCaller, fields: NewViewFields): Promise<StoredRecord<SavedView>> {
    const { name, page } = fields
    const shared = fields.shared ?? false
    const view = { creatorEmail: caller.email, name, page, query: fields.query ?? "", shared }
    requireSharing(caller, view)
    // One at a time, so that the number is still right when the view is stored.
    return this.creations.run(`${caller.tenant}/${caller.email}`, async () => {
      await this.requireRoom(caller)
      return this.collection.create(caller.tenant, view)
    })
  }

  /** Changes the given fields. Throws `missing`, or `forbidden` for a view of another user. */
  change(caller: ViewCaller, id: string, fields: ViewFields): Promise<StoredRecord<SavedView>> {
    return this.collection.change(caller.tenant, id, (former) => {
      this.requireChange(caller, former)
      const { body } = former
      const changed = {
        creatorEmail: body.creatorEmail,
        name: fields.name ?? body.name,
        page: fields.page ?? body.page,
        query: fields.query ?? body.query,
        shared: fields.shared ?? body.shared,
      }
      requireSharing(caller, body)
      requireSharing(caller, changed)
      return changed
    })
  }

  /** Throws as `change` does. */
  async remove(caller: ViewCaller, id: string): Promise<void> {
    const view = await this.get(caller, id)
    this.requireChange(caller, view)
    requireSharing(caller, view.body)
    await this.collection.remove(caller.tenant, id)
  }

  private async requireRoom(caller: Caller): Promise<void> {
    const all = await this.collection.list(caller.tenant)
    if (all.filter((view) => isOwn(view, caller)).length < viewsPerUserMax) return
    throw invalid(`view: expected at most ${viewsPerUserMax} views of one user: remove one first`)
  }

  private requireChange(caller: Caller, view: StoredRecord<SavedView>): void {
    if (!isViewVisible(view.body, caller)) throw this.collection.missingError(view.id)
    if (isOwn(view, caller) || caller.isAdministrator) return
    throw new ServiceError("forbidden", "A shared view is changed by its creator or administrators")
  }
}

function isOwn({ body }: StoredRecord<SavedView>, { email }: Caller): boolean {
  return body.creatorEmail === email
}

export function isViewVisible(
  body: Pick<SavedView, "shared" | "creatorEmail">,
  caller: Pick<Caller, "email">,
): boolean {
  return body.shared || body.creatorEmail === caller.email
}

function requireSharing({ mayShare }: ViewCaller, { shared }: Pick<SavedView, "shared">): void {
  if (!shared || mayShare) return
  throw new ServiceError("forbidden", "The role Read Only has no right to share a view")
}
