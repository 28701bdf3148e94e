/** Answers of each receiver: the message is accepted, refused for good, or tried again. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { ServiceError } from "../../src/base/errors.ts"
import { MessageRefused } from "../../src/notify/message-refused.ts"
import { listen, type Answer } from "../outbound/listener.ts"
import { messageAt, senderOf, startMs } from "./test-delivery.ts"

type Meaning = "accepted" | "final" | "retried"

const secrets = { serviceKey: "r0uting-key", apiKey: "gen1e-key" }

/** The end of a delivery to a receiver that answers so, and its reason. */
async function meaningOf(type: string, answer: Answer, path = "/x") {
  const receiver = await listen(() => answer)
  const url = `http://127.0.0.1:${receiver.port}${path}`
  try {
    await senderOf().deliver({ type, properties: { url, ...secrets } }, messageAt(startMs))
    return { meaning: "accepted" as Meaning, reason: "" }
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    const meaning: Meaning = error instanceof MessageRefused ? "final" : "retried"
    return { meaning, reason: error.message }
  } finally {
    await receiver.close()
  }
}

/** Checks a table of status, body and meaning; a reason quotes each body but an empty one. */
async function f(type: string, rows: readonly (readonly [number, string, Meaning])[]) {
  for (const [status, body, want] of rows) {
    const { meaning, reason } = await meaningOf(type, { status, body })
    assert.equal(meaning, want, `${type}: ${status} ${body}`)
    if (want === "accepted") continue
    assert.match(reason, new RegExp(`got ${status}`))
    const isQuoted = type !== "sns" && type !== "webhook"
    if (isQuoted) assert.ok(reason.includes(body.slice(0, 100)), reason)
  }
}

const teamsError = (status: number) =>
  "Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error " +
  `${status} with ContextId tcid=0,server=DB3,cv=1.`

test("teams accepts with 1 or by 202; its 200 may tell an error (R12)", async () => {
  await f("teams", [
    [200, "1", "accepted"],
    [200, " 1\n", "accepted"],
    [202, "", "accepted"],
    [200, teamsError(429), "retried"],
    [200, teamsError(413), "final"],
    [200, teamsError(502), "retried"],
    [202, teamsError(429), "retried"],
    [200, "Summary or Text is required.", "retried"],
    [200, "", "retried"],
    [200, "<html>Sign in</html>", "retried"],
    [400, "Bad payload received by generic incoming webhook.", "final"],
    [429, "", "retried"],
  ])
})

test("slack accepts with ok, or as compatible services do", async () => {
  await f("slack", [
    [200, "ok", "accepted"],
    [200, "", "accepted"],
    [204, "", "accepted"],
    [200, '{"ok":true}', "accepted"],
    [200, '{"success":true}', "accepted"],
    [200, "invalid_payload", "final"],
    [200, "no_text", "final"],
    [200, '{"ok":false,"error":"channel_not_found"}', "final"],
    [200, '{"ok":false,"error":"ratelimited"}', "retried"],
    [200, '{"ok":false,"error":"rate_limited"}', "retried"],
    [200, "rollup_error", "retried"],
    [200, "<html>Sign in</html>", "retried"],
    [404, "no_service", "final"],
    [500, "rollup_error", "retried"],
  ])
})

test("pagerduty accepts with the status success", async () => {
  await f("pagerduty", [
    [202, '{"status":"success","message":"Event processed","dedup_key":"k"}', "accepted"],
    [200, '{"status":"success","message":"Event processed","incident_key":"k"}', "accepted"],
    [202, "", "accepted"],
    [200, '{"status":"invalid event","message":"broken","errors":["a"]}', "final"],
    [202, '{"status":"throttle exceeded","message":"later"}', "retried"],
    [200, "<html>Sign in</html>", "retried"],
    [400, '{"status":"invalid event","message":"broken","errors":["a"]}', "final"],
    // Version 1 answers so if it gets too many events.
    [403, "", "retried"],
    [429, "", "retried"],
  ])
})

test("opsgenie accepts a request, and makes the alert later", async () => {
  await f("opsgenie", [
    [202, '{"result":"Request will be processed","took":0.3,"requestId":"4"}', "accepted"],
    [202, "", "accepted"],
    [200, '{"success":false,"message":"nothing"}', "retried"],
    [422, '{"message":"unprocessable","took":0.1,"requestId":"4"}', "final"],
    [429, '{"message":"throttled"}', "retried"],
  ])
})

const snsError = (code: string) =>
  '<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type>' +
  `<Code>${code}</Code><Message>The reason</Message></Error></ErrorResponse>`

test("sns accepts without an ErrorResponse, and throttles with 400", async () => {
  const id = "<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult>"
  await f("sns", [
    [200, `${id}</PublishResponse>`, "accepted"],
    [200, "", "accepted"],
    [200, snsError("InvalidParameter"), "final"],
    [400, snsError("InvalidParameter"), "final"],
    [400, snsError("Throttling"), "retried"],
    [400, snsError("ThrottledException"), "retried"],
    [400, snsError("RequestExpired"), "retried"],
    [403, snsError("AuthorizationError"), "final"],
    [500, snsError("InternalFailure"), "retried"],
  ])
  const { reason } = await meaningOf("sns", { status: 400, body: snsError("InvalidParameter") })
  assert.match(reason, /got 400: InvalidParameter: The reason$/)
})

test("a webhook accepts by its status, whatever it answers", async () => {
  await f("webhook", [
    [200, '{"ok":false,"error":"x"}', "accepted"],
    [299, "HTTP error 429", "accepted"],
    [300, "", "retried"],
    [400, "", "final"],
  ])
})

test("a reason quotes the start of an answer on one line, and no secret", async () => {
  const echo = 'POST /services/T1/B2/xyz Authorization: GenieKey gen1e-key\r\n{"k":"r0uting-key"}'
  const body = `${echo}${"x".repeat(1_000)}`
  for (const type of ["slack", "teams", "pagerduty", "opsgenie", "sns"]) {
    const { reason } = await meaningOf(type, { status: 500, body }, "/services/T1/B2/xyz")
    assert.match(reason, /got 500: POST/)
    assert.doesNotMatch(reason, /T1|gen1e|r0uting|\n/)
    assert.ok(reason.length < 400, reason)
  }
  const { reason } = await meaningOf("webhook", { status: 500, body })
  assert.doesNotMatch(reason, /POST/)
})
