/** Firings of one policy at one time, such as a cycle, are one line of the list. */

interface Groupable {
  readonly id: string
  readonly timestamp: number
  readonly policy: { readonly id: string } | null
}

export interface EventGroup<Event> {
  /** Of the first event, which stays while others join. */
  readonly key: string
  /** One, or some of the same policy at the same time. */
  readonly events: readonly Event[]
  /** Whether older events that are not loaded may belong to it. */
  readonly isCut: boolean
}

/** Groups in the order of their first events; `hasOlder`: there are older events than these. */
export function groupEvents<Event extends Groupable>(
  events: readonly Event[],
  hasOlder: boolean,
): readonly EventGroup<Event>[] {
  const byKey = new Map<string, Event[]>()
  for (const event of events) {
    const { id, policy, timestamp } = event
    const key = policy === null ? id : `${policy.id} ${timestamp}`
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [event])
    else known.push(event)
  }
  const lastMs = events.at(-1)?.timestamp
  return Array.from(byKey, ([key, own]) => {
    const isCut = hasOlder && own[0]!.policy !== null && own[0]!.timestamp === lastMs
    return { key, events: own, isCut }
  })
}
