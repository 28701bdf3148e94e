/** Numbers to measure with: what telemetry looks like, from a seed. */

export type BenchSize = "small" | "canonical"

/** Random numbers in [0, 1) (mulberry32, by Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Stream = (random: () => number) => (index: number) => number

function roundTo(value: number, decimals: number): number {
  const power = 10 ** decimals
  return Math.round(value * power) / power
}

/** About normal, by the sum of twelve. */
function bell(random: () => number): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random()
  return sum
}

export const streams = {
  gauge: (random) => {
    let level = 50
    return () => {
      level += bell(random) * 0.3
      return roundTo(level, 2)
    }
  },
  noise: (random) => () => roundTo(50 + 5 * bell(random), 2),
  counter: (random) => {
    let total = 1e9
    return () => (total += Math.floor(1000 + random() * 500))
  },
  pages: (random) => () => 4096 * Math.floor(1e6 + 1000 * bell(random)),
  latency: (random) => () => roundTo(Math.exp(bell(random)), 3),
  tail: (random) => () => roundTo((1 - random()) ** (-1 / 1.2), 2),
  constant: () => () => 42.5,
  times: () => (index) => 1_795_132_800_000 + index * 60_000,
  doubles: (random) => () => 50 + bell(random),
} satisfies Record<string, Stream>
