/** Parts of the marks of a chart, loaded after it as one file. */

export { MarkRow } from "../../../chart/marks/mark-row.tsx"
export { readMarks } from "../../../chart/marks/read-marks.ts"
