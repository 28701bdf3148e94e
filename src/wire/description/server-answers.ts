/** Schemas of answers about the server itself, and of those that every endpoint may give. */

import { constant, instant, listOf, optional, record, text, described } from "../answer.ts"
import { flag, number, orNull, wholeNumber } from "../answer.ts"

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
export const timeAnswer = record({
  epochMillis: wholeNumber,
  iso8601: instant,
  version: text,
  speed: described(number, "Seconds of this clock in a second; 1 unless it is simulated"),
})

const milliseconds = { ZERO: wholeNumber, PT5M: wholeNumber, PT1H: wholeNumber, PT24H: wholeNumber }

/** Figures for administrators of the first account only. */
const operatorRecord = record({
  storeBytes: wholeNumber,
  freeDiskBytes: wholeNumber,
  queueBytes: described(wholeNumber, "Bodies that wait to be stored"),
  readOnly: described(flag, "Whether no samples are accepted now"),
  problems: described(listOf(text), "Why the server is not ready; empty if it is"),
  failingNotifications: described(wholeNumber, "Notifications that wait for another attempt"),
  lastRefused: described(
    orNull(record({ time: instant, status: wholeNumber, reason: text })),
    "The newest ingest request that was refused, of any account",
  ),
})

export const serverStatusAnswer = record({
  version: text,
  started: instant,
  serverTime: instant,
  baseUrl: described(orNull(text), "Where people find the server; null if it is not set"),
  clock: record({ simulated: flag, speed: number }),
  retentionMs: described(record(milliseconds), "How long values are kept, by rollup"),
  limits: described(
    record({
      bodyBytes: wholeNumber,
      series: wholeNumber,
      newSeriesPerMinute: wholeNumber,
      textBytes: wholeNumber,
      diskBytes: described(wholeNumber, "0 is no limit"),
      eventsPerMinute: described(wholeNumber, "0 is no limit"),
      queryMs: wholeNumber,
    }),
    "Those of an account and of a request, as they are set",
  ),
  protocols: described(listOf(text), "What the ingest endpoint reads"),
  cycle: record({
    lastClosed: described(instant, "Start of the newest cycle that is closed"),
    tookMs: described(orNull(wholeNumber), "Duration of its closing; null since the start"),
    lagMs: described(wholeNumber, "How late the next one is; 0 if it is not due"),
  }),
  counts: described(
    record({ elements: wholeNumber, series: wholeNumber }),
    "Of the account, as the limits count them",
  ),
  ingest: record({
    samplesPerSecond: described(number, "Of the account, over the last minute"),
    lastSample: described(orNull(instant), "When the account sent last; null since the start"),
    newestSample: described(
      orNull(instant),
      "The latest time of a sample of the account; null if none came since the start",
    ),
  }),
  server: described(optional(operatorRecord), "For administrators of the first account only"),
})
