/** The frame of an analytic configuration, judged before anybody reads what it says. */

import { readRecord } from "../wire/records/fields.ts"
import {
  configurationBody,
  configurationList,
} from "../wire/records/analytic-configuration-body.ts"

/** Throws `invalid` where a value is neither a configuration nor the list form of one. */
export function configurationShape(json: unknown): void {
  readRecord(Array.isArray(json) ? configurationList : configurationBody, json)
}
