/** Words of the suggestions of the filter, in English. */

import { wholeText } from "../../format/words.ts"

export const text = {
  label: "Suggestions for the filter",
  note: (shown: number, total: number) =>
    total > shown ? `${wholeText(shown)} of ${wholeText(total)}` : `${wholeText(total)} found`,
  nothing: "Nothing known begins or goes on like this",
  field: "field",
  tag: "tag",
  element: "element",
  status: "status",
  elements: (count: number) => (count === 1 ? "1 element" : `${wholeText(count)} elements`),
  metrics: (count: number) => (count === 1 ? "1 metric" : `${wholeText(count)} metrics`),
}
