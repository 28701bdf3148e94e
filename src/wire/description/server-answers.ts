/** Schemas of answers about the server itself, and of those that every endpoint may give. */

import { constant, instant, listOf, optional, record, text, described } from "../answer.ts"
import { flag, wholeNumber } from "../answer.ts"

const moment = {
  serverTimestamp: described(wholeNumber, "Epoch milliseconds"),
  iso8601DateTime: instant,
}

export const errorRecord = described(
  record({
    status: wholeNumber,
    message: described(text, "The status in words, such as BAD_REQUEST"),
    detail: described(text, "The kind of problem in one line"),
    errors: described(listOf(text), "One sentence a problem"),
    ...moment,
    requestId: described(text, "That of the header X-Request-Id, or a new one"),
  }),
  "The one shape of every error",
)

/** The detailed body of ingest that SEND_RESPONSE_BODY asks for. */
export const acceptedRecord = record({
  status: constant(202),
  message: constant("ACCEPTED"),
  detail: described(text, "How much was received"),
  warnings: described(optional(listOf(text)), "Which samples were left out, at most 20"),
  ...moment,
})

export const liveAnswer = record({ status: constant("live") })
export const readyAnswer = record({
  status: constant("ready"),
  version: text,
  backup: described(
    optional(
      record({
        lastSuccess: described(optional(instant), "Moment of the newest backup"),
        failing: described(flag, "Whether the newest attempt failed; the log has the reason"),
        failures: described(wholeNumber, "Attempts that failed since the start"),
      }),
    ),
    "Backups on a schedule",
  ),
})
export const timeAnswer = record({ epochMillis: wholeNumber, iso8601: instant, version: text })
