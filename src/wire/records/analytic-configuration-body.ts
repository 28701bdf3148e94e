/**
 * The frame of an analytic configuration (spec/analytics §5), lenient as its reader is; its content
 * is read elsewhere.
 */

import * as v from "valibot"
import { objectValue } from "../body.ts"
import { shortText } from "./fields.ts"

/** Of one file. Real ones have fifty. */
const entriesMax = 2_000
/** Types of configurations of metrics. */
const types = ["ACE", "COMPUTED_METRIC", "METRIC_META"] as const

/** Entries alone: the list form, which sets strategies for sparse data. */
export const configurationList = v.pipe(
  v.array(
    objectValue({ match: v.nullish(shortText), properties: v.nullish(objectValue({})) }),
    "an array of match and properties",
  ),
  v.maxLength(entriesMax, `at most ${entriesMax} entries`),
)

export const configurationBody = objectValue({
  analyticConfiguration: v.lazy((raw) => (Array.isArray(raw) ? configurationList : withType)),
})

const withType = objectValue({
  // In either case; without one it is the list form with a name.
  type: v.nullish(
    v.pipe(
      shortText,
      v.check(
        (type) => types.some((one) => one === type.toUpperCase()),
        `one of ${types.join(", ")}`,
      ),
    ),
  ),
  name: v.nullish(shortText),
  scope: v.nullish(objectValue({})),
  metrics: v.nullish(configurationList, []),
})
