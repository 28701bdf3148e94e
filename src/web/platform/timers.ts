/** Time and timers of the browser: the only module that reads them, so that tests can replace it. */

/** Milliseconds of a clock that only runs forward, for durations. */
export function elapsedMs(): number {
  return performance.now()
}

/** Calls back once, `ms` from now. Returns a function that cancels it. */
export function after(ms: number, callback: () => void): () => void {
  const id = setTimeout(callback, ms)
  return () => clearTimeout(id)
}

/** Calls back every `ms` until the returned function is called. */
export function every(ms: number, callback: () => void): () => void {
  const id = setInterval(callback, ms)
  return () => clearInterval(id)
}

/** Calls back before the next frame is painted. Returns a function that cancels it. */
export function beforePaint(callback: () => void): () => void {
  const id = requestAnimationFrame(callback)
  return () => cancelAnimationFrame(id)
}

/** A mark on the browser's timeline, which the bench reads. */
export function mark(name: string): void {
  performance.mark(`tidegauge:${name}`)
}
