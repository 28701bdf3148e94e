/** Parts of the marks of a chart, loaded after it as one file. */

export { PlotMarks } from "../../../chart/marks/plot-marks.tsx"
export { readMarks } from "../../../chart/marks/read-marks.ts"
