/** Fuzz run: many generated cases from one seed, each judged and timed. */

import { RandomChoices } from "./random-choices.ts"
import { mutate } from "./mutate.ts"
import { plainBodiesIn, plainBodiesMax } from "./shapes.ts"
import { allTargets } from "./targets.ts"
import type { Target, Verdict } from "./targets.ts"

/** A case that takes longer is compared with plain bodies; two readers read the case. */
const suspectMs = 50
/** A machine that does other things as well, or collects garbage, is slow once, not three times. */
const attemptsMax = 3

interface FuzzOptions {
  readonly seed: number
  /** Ends at whichever comes first. */
  readonly casesMax: number
  readonly untilMs: number
  /** Monotonic. */
  readonly elapsedMs: () => number
}

export interface FuzzResult {
  readonly cases: number
  /** Cases by target and verdict, as `ingest 202`. */
  readonly verdicts: ReadonlyMap<string, number>
  readonly slowestMs: number
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const dice = new RandomChoices(options.seed)
  const targets = allTargets()
  const pools = new Map(targets.map((target) => [target, [...target.corpus]]))
  const wheel = targets.flatMap((target) => Array.from({ length: target.share }, () => target))
  const verdicts = new Map<string, number>()
  let cases = 0
  let slowestMs = 0
  while (cases < options.casesMax && options.elapsedMs() < options.untilMs) {
    const target = dice.of(wheel)
    const pool = pools.get(target)!
    const bytes = mutate(dice.of(pool), dice, target.corpus)
    const tried = await tryCase(target, bytes, { dice, options })
    if (isWorthKeeping(tried.verdict, bytes)) keep(pool, bytes, { dice, target })
    cases++
    slowestMs = Math.max(slowestMs, tried.ms)
    const key = `${target.name} ${tried.verdict}`
    verdicts.set(key, (verdicts.get(key) ?? 0) + 1)
  }
  return { cases, verdicts, slowestMs }
}

const poolMax = 200
const keptBytesMax = 4096

/** Accepted bodies are the start for more: damage to them reaches deeper than damage to damage. */
function isWorthKeeping(verdict: Verdict, bytes: Buffer): boolean {
  return (verdict === "202" || verdict === "read") && bytes.length <= keptBytesMax
}

/** The corpus itself stays; of the rest a full pool loses a random one. */
function keep(
  pool: Buffer[],
  bytes: Buffer,
  { dice, target }: { dice: RandomChoices; target: Target },
) {
  if (pool.length < poolMax) pool.push(bytes)
  else pool[target.corpus.length + dice.below(poolMax - target.corpus.length)] = bytes
}

/** Gives one case to its target; throws with what replays it. */
export async function tryCase(
  target: Target,
  bytes: Buffer,
  { dice, options }: { dice: RandomChoices; options: Pick<FuzzOptions, "seed" | "elapsedMs"> },
): Promise<{ verdict: Verdict; ms: number }> {
  try {
    for (let attempt = 1; ; attempt++) {
      const startedMs = options.elapsedMs()
      const verdict = await target.give(bytes, dice)
      const ms = options.elapsedMs() - startedMs
      if (ms <= suspectMs || plainBodiesIn(ms) <= 2 * plainBodiesMax) return { verdict, ms }
      if (attempt === attemptsMax) throw new Error(`${bytes.length} bytes took ${ms} ms`)
    }
  } catch (cause) {
    const what = `${target.name}, seed ${options.seed}, base64 ${bytes.toString("base64")}`
    throw new Error(`${(cause as Error).message} (${what})`, { cause })
  }
}

export function resultText({ cases, verdicts, slowestMs }: FuzzResult): string {
  const counts = [...verdicts].sort().map(([key, count]) => `${key}: ${count}`)
  return `${cases} cases, slowest ${slowestMs.toFixed(1)} ms; ${counts.join(", ")}`
}
