/** Words of the chart, in English. */

import { wholeText } from "../format/words.ts"
import type { BandKind } from "./model.ts"

export const text = {
  sentence: (parts: {
    readonly title: string
    readonly lines: number
    readonly range: string
    readonly least: string
    readonly greatest: string
    readonly highest: string
    readonly at: string
  }) =>
    `${parts.title}, ${parts.lines === 1 ? "one line" : `${parts.lines} lines`}, ${parts.range}: ` +
    `${parts.least} to ${parts.greatest}, highest ${parts.highest} at ${parts.at}`,
  noValues: (title: string, range: string) => `${title}, ${range}: no values`,
  keysHint: "Arrows move the cursor, ? shows all keys.",
  role: "chart",
  name: "name",
  last: "last",
  min: "min",
  avg: "avg",
  max: "max",
  p95: "p95",
  legend: "Lines of the chart",
  search: "Find a line",
  noneFound: "No line has this in its name.",
  alone: (name: string) => `Show ${name} alone`,
  all: "Show all lines",
  hide: (name: string) => `Hide ${name}`,
  show: (name: string) => `Show ${name}`,
  drawn: (drawn: number, all: number) => `${wholeText(drawn)} of ${wholeText(all)} drawn`,
  notDrawn: (problem: string) => `The lines could not be drawn: ${problem}`,
  otherUnits: (units: readonly string[], axes: number) =>
    axes === 1
      ? `A heat map has one axis. Not counted: lines in ${units.join(", ")}.`
      : `A chart has two axes. Not drawn: lines in ${units.join(", ")}.`,
  split: "One chart each",
  heatColours: "the stronger the colour, the more series",
  cell: (count: number, all: number, range: string) => `${count} of ${all} series have ${range}`,
  noUnit: "no unit",
  outside: (kind: BandKind, range: string) => `outside the ${kind} band ${range}`,
  within: (kind: BandKind, range: string) => `${kind} ${range}`,
  more: (count: number) => `and ${count} more`,
  noPicture: "The browser cannot make a picture of this size",
  pinned: "Click again, or Esc, to let the cursor go",
  resolution: (step: string) => step,
  time: "Time",
  dataTable: (title: string) => `Values of ${title}`,
  page: (first: number, last: number, all: number) => `${first} to ${last} of ${all} times`,
  lines: (first: number, last: number, all: number) => `Lines ${first} to ${last} of ${all}`,
  formerLines: "Former lines",
  nextLines: "Next lines",
  former: "Former page",
  next: "Next page",
  closeTable: "Close the table",
  keys: {
    bands: "Bands on or off",
    percentiles: "Percentiles: none, lines, fan",
    alone: "Only the line with the focus",
    hide: "Hide the line with the focus",
    zero: "Axis from zero, or fitting",
    table: "Values as a table",
    download: "Download as CSV",
    cursor: "Move the cursor",
    select: "Select a time (with Shift)",
    line: "The line above or below",
    in: "Zoom into what is selected",
    out: "The range before",
  },
}
