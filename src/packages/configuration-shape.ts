/** The frame of an analytic configuration, judged before anybody reads what it says. */

import { invalid } from "../base/errors.ts"
import { shown } from "../wire/problems.ts"
import { readRecord } from "../wire/records/fields.ts"
import {
  configurationBody,
  configurationList,
} from "../wire/records/analytic-configuration-body.ts"

/**
 * Throws `invalid` for what is neither a configuration in its wrapper nor the list form; an object
 * without the wrapper is left to whoever reads it.
 */
export function validateConfigurationShape(json: unknown): void {
  if (typeof json !== "object" || json === null) {
    throw invalid(`body: expected an object with analyticConfiguration, got ${shown(json)}`)
  }
  if (Array.isArray(json)) readRecord(configurationList, json, "ignored")
  else if ("analyticConfiguration" in json) readRecord(configurationBody, json, "ignored")
}
