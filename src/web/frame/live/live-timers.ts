/** Time, timers and visibility of the browser, in the form in which they are injected. */
export interface LiveTimers {
  /** Milliseconds of a clock that only runs forward. */
  readonly elapsedMs: () => number
  /** Calls back once; returns what cancels it. */
  readonly after: (ms: number, callback: () => void) => () => void
  /** Calls back when the tab is shown or hidden; returns what ends that. */
  readonly onVisibility: (callback: (isVisible: boolean) => void) => () => void
}
