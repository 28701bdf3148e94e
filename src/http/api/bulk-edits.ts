/** Changes of many elements: each is possible or has a reason; a hundred share a commit. */

import { Semaphore } from "../../base/async.ts"
import { bulkChangesAtOnce, bulkEditsAtOnce, bulkFailuresMax } from "../../base/limits/search.ts"
import { invalid, ServiceError } from "../../base/errors.ts"
import type { CatalogueEdit } from "../../model/records/catalogue-edit.ts"
import { maintenanceEndTag, maintenanceStateTag } from "../../model/records/maintenance-tags.ts"
import {
  readInstant,
  type SelectedElementsAnswer,
  type SelectedElementsBody,
} from "../../query/query.ts"
import { Problems, shown } from "../../wire/problems.ts"
import type { BulkChange, BulkResult } from "../../wire/search/bulk-body.ts"
import type { Call, RouteDeps } from "../shared/route.ts"

/**
 * Makes a change; with `isDryRun` it only counts. Throws `invalid` for an end that is over,
 * `overloaded` if too many others run, and `cancelled` if the client leaves, which takes back no
 * change.
 */
export function changeElements(
  call: Call,
  deps: RouteDeps,
  change: BulkChange,
): Promise<BulkResult> {
  const work = () => changeInParts(call, deps, change)
  return change.isDryRun ? work() : deps.bulkLimit.run(work)
}

/** Room for the bulk changes of one server; none waits. */
export function createBulkLimit(): Semaphore {
  const refusal = () => new ServiceError("overloaded", tooMany, { retryAfterSeconds: 1 })
  return new Semaphore(bulkChangesAtOnce, { waitersMax: 0, refusal })
}

const tooMany = `More than ${bulkChangesAtOnce} bulk changes of elements run already`

async function changeInParts(call: Call, deps: RouteDeps, change: BulkChange): Promise<BulkResult> {
  const editOf = editMaker(call, change)
  const { fqns, unknown } = await selectElements(call, deps, change)
  const failed = unknown.map((id) => ({ id, error: `Cannot find element ${shown(id)}` }))
  let changed = change.isDryRun ? fqns.length : 0
  for (let at = 0; at < fqns.length && !change.isDryRun; at += bulkEditsAtOnce) {
    if (call.requester.signal?.aborted) throw clientLeft(changed)
    const some = fqns.slice(at, at + bulkEditsAtOnce)
    const problems = await deps.amendAll(some.map(editOf))
    for (const [i, error] of problems.entries()) {
      if (error === null) changed++
      else failed.push({ id: some[i]!, error })
    }
  }
  return {
    changed,
    failed: failed.slice(0, bulkFailuresMax),
    failures: failed.length,
    dryRun: change.isDryRun,
  }
}

function clientLeft(changed: number): ServiceError {
  return new ServiceError("cancelled", `The client left after ${changed} elements were changed`)
}

async function selectElements(
  call: Call,
  deps: RouteDeps,
  { ids, filter }: BulkChange,
): Promise<SelectedElementsAnswer> {
  const { tenant, nowMs, requester } = call
  const body: SelectedElementsBody = { ids, filter }
  const request = { kind: "selectedElements", tenant, params: {}, body, nowMs } as const
  const answer = await deps.runQuery(request, requester)
  return answer.json() as SelectedElementsAnswer
}

function editMaker(
  { tenant, nowMs }: Call,
  change: BulkChange,
): (element: string) => CatalogueEdit {
  const { set, remove } = tagsOf(change, nowMs)
  return (element) =>
    change.action === "delete"
      ? { kind: "removeElement", tenant, element, nowMs }
      : { kind: "elementTags", tenant, element, nowMs, set, remove }
}

const maintenanceTags = [maintenanceStateTag, maintenanceEndTag]

function tagsOf({ action, tags, until }: BulkChange, nowMs: number) {
  if (action === "setTags") return { set: tags, remove: [] }
  if (action === "removeTags") return { set: [], remove: tags.map(({ name }) => name) }
  if (action !== "startMaintenance") return { set: [], remove: maintenanceTags }
  const state = { name: maintenanceStateTag, value: "true" }
  if (until === undefined) return { set: [state], remove: [maintenanceEndTag] }
  return { set: [state, { name: maintenanceEndTag, value: readEnd(until, nowMs) }], remove: [] }
}

/** An instant in the future, as epoch milliseconds. */
function readEnd(until: string, nowMs: number): string {
  const problems = new Problems()
  const endMs = readInstant({ field: "until", text: until }, problems)
  problems.throwIfAny()
  if (endMs === undefined || endMs <= nowMs) {
    throw invalid(`until: expected a time in the future, got ${shown(until)}`)
  }
  return String(endMs)
}
