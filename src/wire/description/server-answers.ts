/** Schemas of answers about the server itself, and of those that every endpoint may give. */

import { constant, instant, listOf, optional, record, text, told } from "../answer.ts"
import { wholeNumber } from "../answer.ts"

const moment = {
  serverTimestamp: told(wholeNumber, "Epoch milliseconds"),
  iso8601DateTime: instant,
}

export const errorRecord = told(
  record({
    status: wholeNumber,
    message: told(text, "The status in words, such as BAD_REQUEST"),
    detail: told(text, "The kind of problem in one line"),
    errors: told(listOf(text), "One sentence a problem"),
    ...moment,
  }),
  "The one shape of every error",
)

/** The detailed body of ingest that SEND_RESPONSE_BODY asks for. */
export const acceptedRecord = record({
  status: constant(202),
  message: constant("ACCEPTED"),
  detail: told(text, "How much was received"),
  warnings: told(optional(listOf(text)), "Which samples were left out, at most 20"),
  ...moment,
})

export const liveAnswer = record({ status: constant("live") })
export const readyAnswer = record({ status: constant("ready"), version: text })
export const timeAnswer = record({ epochMillis: wholeNumber, iso8601: instant, version: text })
