/** The colours of a plot, which follow the theme. */

import { resolvedColours } from "../../platform/colours.ts"
import type { PlotColours } from "./plot-input.ts"
import { seriesColourCount } from "./series-colours.ts"

const colourNames = [
  "text",
  "text-secondary",
  "surface",
  "line",
  "critical",
  "baseline",
  "contextual",
] as const

/** The colours that the style sheet gives a plot now. */
export function plotColours(): PlotColours {
  const names = Array.from({ length: seriesColourCount }, (_, i) => `series-${i}`)
  const series = resolvedColours(names)
  return { ...resolvedColours(colourNames), series: names.map((name) => series[name]!) }
}
