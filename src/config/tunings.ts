/**
 * Switches of the V8 and operating-system tunings. All are on; `TIDEGAUGE_TUNINGS_OFF`, a list of
 * names with commas, turns some off, so that what each earns can be measured again with another
 * version of Node. It is no setting: the server runs by the same rules with and without a tuning.
 */

export const tuningsVariable = "TIDEGAUGE_TUNINGS_OFF"

export const tuningNames = [
  /** runtime/compile-cache.ts */
  "compile-cache",
  /** runtime/thread-priority.ts: V8's own threads */
  "v8-threads",
  /** runtime/thread-priority.ts: threads of queries, closings and passwords */
  "thread-priority",
  /** runtime/gc.ts */
  "heap-growth",
  /** runtime/idle-gc.ts */
  "idle-gc",
  /** server/warm-up.ts */
  "warm-up",
  /** server/page-cache-prefetch.ts */
  "prefetch",
] as const

export type TuningName = (typeof tuningNames)[number]

type Environment = Readonly<Record<string, string | undefined>>

function namesOff(env: Environment): readonly string[] {
  return (env[tuningsVariable] ?? "").split(",").filter((name) => name !== "")
}

export function isTuningOn(env: Environment, name: TuningName): boolean {
  return !namesOff(env).includes(name)
}

/** Names in the variable that are no tuning. */
export function unknownTunings(env: Environment): readonly string[] {
  const known: ReadonlySet<string> = new Set(tuningNames)
  return namesOff(env).filter((name) => !known.has(name))
}
