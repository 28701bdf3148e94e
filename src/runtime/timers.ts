/** The timers of the process, in the form in which they are injected. */

/** Calls back once after `ms`; returns a way to cancel. */
export function delay(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Calls back every `everyMs`, without keeping the process alive; returns a way to end it. */
export function repeat(callback: () => void, everyMs: number): () => void {
  const timer = setInterval(callback, everyMs).unref()
  return () => clearInterval(timer)
}
