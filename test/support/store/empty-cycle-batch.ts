import type { CycleBatch } from "../../../src/store/cycle-store.ts"

/** A batch that adds nothing but its marker; to be spread and overridden. */
export const emptyCycleBatch = {
  gapFills: { series: new Int32Array(0), actuals: new Float64Array(0) },
  computed: { elements: new Int32Array(0), fqns: [], actuals: new Float64Array(0) },
  actualKinds: { series: new Int32Array(0), kinds: new Uint8Array(0) },
  bands: { series: new Int32Array(0), values: new Float32Array(0) },
  states: [],
  documents: [],
} as const satisfies Omit<CycleBatch, "cycle" | "name">
