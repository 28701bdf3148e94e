/** Firings of one policy, at one time such as a cycle or all of them, are one line of the list. */

import { groupBy } from "../../platform/group-by.ts"

interface Groupable {
  readonly id: string
  readonly timestamp: number
  readonly policy: { readonly id: string } | null
}

export interface EventGroup<Event> {
  /** Of the first event, which stays while others join. */
  readonly key: string
  /** One, or some of the same policy. */
  readonly events: readonly Event[]
  /** Whether older events that are not loaded may belong to it. */
  readonly isCut: boolean
}

/** Of an element a policy fires in many cycles; of all elements, at many elements in one cycle. */
export type FiringsBy = "cycle" | "policy"

/** Groups in the order of their first events; `hasOlder`: there are older events than these. */
export function groupEvents<Event extends Groupable>(
  events: readonly Event[],
  hasOlder: boolean,
  by: FiringsBy,
): readonly EventGroup<Event>[] {
  const byKey = groupBy(events, ({ id, policy, timestamp }) => {
    return policy === null ? id : by === "policy" ? policy.id : `${policy.id} ${timestamp}`
  })
  const lastMs = events.at(-1)?.timestamp
  return Array.from(byKey, ([key, own]) => {
    const mayGoOn = by === "policy" || own[0].timestamp === lastMs
    const isCut = hasOlder && own[0].policy !== null && mayGoOn
    return { key, events: own, isCut }
  })
}
