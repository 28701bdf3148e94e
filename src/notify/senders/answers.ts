/**
 * Answers of receivers: which one accepts a message, and whether a failure is final.
 *
 * | receiver  | accepts by                         | fails in other ways                     |
 * | --------- | ---------------------------------- | --------------------------------------- |
 * | webhook   | 200 to 299                         |                                         |
 * | Slack     | 200 to 299 with `ok`               | 200 with another text, or `"ok": false` |
 * | Teams     | 200 with `1`, of a connector       | 200 with "… returned HTTP error 429 …"  |
 * |           | 202, of a workflow                 |                                         |
 * | PagerDuty | 200 to 299, the status `success`   | 403 of version 1: too many events       |
 * | Opsgenie  | 202; the alert is made later       | `"success": false`                      |
 * | SNS       | 200 to 299, not an `ErrorResponse` | 400 with a code such as `Throttling`    |
 *
 * Services that are compatible answer without a body, so an empty one is never a failure, but in a
 * 200 of Teams. Documented at the addresses of `limits.ts`, at
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, and at
 * https://docs.aws.amazon.com/sns/latest/api/CommonErrors.html.
 */

import { parsedJson } from "../../base/json-value.ts"

export interface ReceiverAnswer {
  readonly status: number
  readonly text: string
}

/** Why a message was not accepted. */
export interface AnswerFailure {
  /** Completes "expected the receiver to". */
  readonly expected: string
  /** Whether the receiver would answer each attempt so. */
  readonly isFinal: boolean
}

/** Null if the receiver accepted the message. */
export type AnswerReader = (answer: ReceiverAnswer) => AnswerFailure | null

const success = "answer with a status of 200 to 299"

export const readWebhookAnswer: AnswerReader = ({ status }) => {
  if (isSuccess(status)) return null
  return { expected: success, isFinal: isFinalStatus(status) }
}

export const readSlackAnswer: AnswerReader = (answer) => {
  const { status, text } = answer
  if (!isSuccess(status)) return readWebhookAnswer(answer)
  const words = text.trim()
  const isOk = words === "" || words.toLowerCase() === "ok" || (isJson(text) && !isDenial(text))
  if (isOk) return null
  const code = /\b[a-z]+(?:_[a-z]+)+\b/.exec(words)?.[0]
  return { expected: "answer ok", isFinal: code !== undefined && !isOfTheMoment(code) }
}

export const readTeamsAnswer: AnswerReader = (answer) => {
  const { status, text } = answer
  if (!isSuccess(status)) return readWebhookAnswer(answer)
  const told = /\bHTTP error (\d{3})\b/i.exec(text)?.[1]
  const isWorkflow = status === 202 && told === undefined && !isDenial(text)
  if (isWorkflow || text.trim() === "1") return null
  const expected = "answer with the status 202, or with 1"
  return { expected, isFinal: told !== undefined && isFinalStatus(Number(told)) }
}

export const readPagerDutyAnswer: AnswerReader = (answer) => {
  const { status, text } = answer
  const failure = readWebhookAnswer(answer)
  if (failure !== null) return { ...failure, isFinal: failure.isFinal && status !== 403 }
  const told = fieldOf(text, "status")
  const isOk = told === undefined ? isSilent(text) : told === "success"
  if (isOk) return null
  const isFinal = typeof told === "string" && told.startsWith("invalid")
  return { expected: "answer with the status success", isFinal }
}

export const readOpsgenieAnswer: AnswerReader = (answer) => {
  const failure = readWebhookAnswer(answer)
  if (failure !== null || isSilent(answer.text)) return failure
  return { expected: "accept the request", isFinal: false }
}

export const readSnsAnswer: AnswerReader = (answer) => {
  const { status, text } = answer
  const code = /<Code>\s*([\w.]+)\s*<\/Code>/.exec(text)?.[1] ?? ""
  const isError = /<ErrorResponse\b/.test(text) || isDenial(text)
  if (isSuccess(status) && !isError) return null
  const isFinal = isSuccess(status) ? code !== "" : isFinalStatus(status)
  return { expected: success, isFinal: isFinal && !isOfTheMoment(code) }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

/** A timeout, a message that is too early, too many requests: about the moment (RFC 9110 §15.5). */
const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429])

function isFinalStatus(status: number): boolean {
  return status >= 400 && status <= 499 && !retriedStatuses.has(status)
}

/** Codes of errors that say nothing about the message. */
function isOfTheMoment(code: string): boolean {
  return /throttl|rate_?limit|rollup|timeout|expired|unavailable|internal|fatal/i.test(code)
}

/** Whether an answer without a known field denies nothing: JSON, or no text but "ok". */
function isSilent(text: string): boolean {
  if (isJson(text)) return !isDenial(text)
  return /^\s*(?:ok)?\s*$/i.test(text)
}

/** Whether a body says, in one of the usual ways, that the message was not accepted. */
function isDenial(text: string): boolean {
  const isFalse = ["ok", "success"].some((name) => fieldOf(text, name) === false)
  const errors = ["error", "errors"].map((name) => fieldOf(text, name))
  return isFalse || errors.some((one) => Boolean(one) && Object.keys(Object(one)).length > 0)
}

function isJson(text: string): boolean {
  return parsedJson(text) !== undefined
}

/** A field of a body that is a JSON object. */
function fieldOf(text: string, name: string): unknown {
  const read = parsedJson(text)
  if (typeof read !== "object" || read === null) return undefined
  return Object.hasOwn(read, name) ? (read as Record<string, unknown>)[name] : undefined
}
