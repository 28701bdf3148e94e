/** A half-open span of time: `startMs` belongs to it, `endMs` does not. Epoch milliseconds, UTC. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** The part that both spans share; an empty span (`startMs === endMs`) where they share none. */
export function spanIntersection(left: Span, right: Span): Span {
  const startMs = Math.max(left.startMs, right.startMs)
  return { startMs, endMs: Math.max(startMs, Math.min(left.endMs, right.endMs)) }
}
