/** Changes of many alerts, a thousand at a time. */

import { changedIncidentsMax, type IncidentFilter } from "../../api/incident/listed.ts"
import type { AlertTarget } from "./alert-row.ts"

export type ChangeTarget = Pick<AlertTarget, "ids"> & Partial<Pick<AlertTarget, "filters">>

/** Alerts that one press changes at most: ten calls. More are changed by further presses. */
const changedAtOnceMax = 10 * changedIncidentsMax

export interface Progress {
  readonly done: number
  readonly count: number
}

/** Calls of the API. */
export interface ChangeCalls {
  idsOf(filter: IncidentFilter, limit: number): Promise<readonly string[]>
  changePart(ids: readonly string[]): Promise<{
    readonly changed: number
    readonly failed: readonly { readonly error: string }[]
  }>
}

/** A part that fails ends the change: the alerts of it and of later parts count as failures. */
export async function changeAll(
  calls: ChangeCalls,
  target: ChangeTarget,
  onProgress: (progress: Progress) => void,
) {
  const ids = await idsOf(calls, target)
  const outcome = { changed: 0, failures: 0, reason: "" }
  for (let from = 0; from < ids.length; from += changedIncidentsMax) {
    onProgress({ done: from, count: ids.length })
    const part = ids.slice(from, from + changedIncidentsMax)
    try {
      const { changed, failed } = await calls.changePart(part)
      outcome.changed += changed
      outcome.failures += failed.length
      outcome.reason ||= failed[0]?.error ?? ""
    } catch (error) {
      outcome.failures += ids.length - from
      outcome.reason = (error as Error).message
      break
    }
  }
  return outcome
}

async function idsOf(calls: ChangeCalls, { ids, filters = [] }: ChangeTarget) {
  const found = new Set(ids)
  for (const filter of filters) {
    for (const id of await calls.idsOf(filter, changedAtOnceMax)) found.add(id)
  }
  return [...found].slice(0, changedAtOnceMax)
}
