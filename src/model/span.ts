/** A half-open span of time: includes `startMs`, excludes `endMs`. Epoch milliseconds, UTC. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** The intersection of both spans; an empty span (`startMs === endMs`) if they are disjoint. */
export function spanIntersection(left: Span, right: Span): Span {
  const startMs = Math.max(left.startMs, right.startMs)
  return { startMs, endMs: Math.max(startMs, Math.min(left.endMs, right.endMs)) }
}
