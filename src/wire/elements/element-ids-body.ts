/** The body of POST `/metrics/statistics`: ids or FQNs of elements. */

import * as v from "valibot"
import { readWith, textValue } from "../body.ts"
import type { Problems } from "../problems.ts"

export const elementIdsBody = v.array(textValue, "a JSON array of element ids")

/** null if the body is invalid; each reason is added to `problems`. */
export function readElementIds(raw: unknown, problems: Problems): string[] | null {
  return readWith(elementIdsBody, raw, { path: "body", problems })
}
