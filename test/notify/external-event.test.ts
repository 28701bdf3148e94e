/** Messages about external events: every type of notification has the event's texts (R16). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { matchAllScope } from "../../src/model/records/policy.ts"
import type { ElementEvent } from "../../src/model/records/event.ts"
import { examplePolicy } from "../../src/notify/example-message.ts"
import { contentOf } from "../../src/notify/message-content.ts"
import { slack, teams } from "../../src/notify/senders/chat.ts"
import { opsgenie, pagerduty } from "../../src/notify/senders/on-call.ts"
import { sns } from "../../src/notify/senders/sns.ts"
import { webhook } from "../../src/notify/senders/webhook.ts"
import { EventMatcher, messageOf } from "../../src/policy/event-condition.ts"
import { createPolicyEvent } from "../../src/policy/policy-event.ts"
import { listenMail } from "./smtp.ts"
import { eventAt, messageAt, messageOn, senderOf, startMs } from "./test-delivery.ts"

const condition = { messageRegex: "fail", titleRegex: null, sourceRegex: null, level: null }
const policy = {
  id: "policy-1",
  ...examplePolicy,
  name: "Disks",
  scope: matchAllScope,
  eventConditions: [condition],
}

/** An external event with these texts. */
function external(message: unknown, title: string | null = "sda1"): ElementEvent {
  const data = { elementId: "web-1", message }
  const texts = { title, source: "smartd", type: "CRITICAL", data, isExternal: true }
  return { ...eventAt(startMs), ...texts, policy: null, element: null }
}

/** The message of a policy whose condition a posted event met. */
function noticeOf(posted: ElementEvent, payloadType: "event" | "event_cleared" = "event") {
  const { title, source } = posted
  const match = {
    policy,
    element: { ...eventAt(startMs).element!, id: posted.elementId, fqn: posted.elementFqn },
    cause: "event" as const,
    window: posted.id,
    timeMs: posted.timeMs,
    results: new EventMatcher(policy).results(posted),
    texts: { title, message: messageOf(posted), source },
  }
  const tenantUuid = "11111111-1111-4111-8111-111111111111"
  const event = createPolicyEvent(match, { tenantUuid, processedMs: startMs })
  return messageOn(event, payloadType)
}

const inputOf = (notice: ReturnType<typeof noticeOf>, properties: Record<string, string> = {}) => {
  const message = contentOf(notice, "https://tidegauge.example.org")
  return { properties: { url: "https://x.example/y", ...properties }, message, nowMs: startMs }
}

const text = "Sector 7 of /dev/sda1 will fail.\nReplace it."

test("the defaults of every type have message and title, at the end too", () => {
  const senders = { webhook, slack, teams, pagerduty, sns }
  for (const payloadType of ["event", "event_cleared"] as const) {
    const input = inputOf(noticeOf(external(text), payloadType), { serviceKey: "k" })
    for (const [name, sender] of Object.entries(senders)) {
      const { body } = sender(input)
      for (const line of text.split("\n")) assert.ok(body.includes(line), `${name}: ${body}`)
      assert.ok(body.includes("sda1"), name)
    }
  }
  const { body } = opsgenie(inputOf(noticeOf(external(text)), { apiKey: "k" }))
  const { description, details } = JSON.parse(body) as {
    description: string
    details: { results: string }
  }
  for (const one of [description, details.results]) {
    assert.match(one, /^The event "sda1" of level CRITICAL meets the event condition\.$/m)
    assert.ok(one.endsWith(text))
  }
})

test("a mail has the message", async (t) => {
  const server = await listenMail()
  t.after(() => server.close())
  const mail = { smtpUrl: server.url, from: "tide@example.org", requireTls: "auto" } as const
  const deliver = (properties: Record<string, string>) =>
    senderOf({ mail }).deliver(
      { type: "email", properties: { address: "a@example.com", ...properties } },
      noticeOf(external(text)),
    )
  await deliver({})
  assert.match(server.mails[0]!.text, /^Sector 7 of \/dev\/sda1 will fail\.\r$/m)
  await deliver({ subjectTemplate: "${event.title}", bodyTemplate: "<p>${event.message}" })
  assert.match(server.mails[1]!.text, /^Subject: sda1\r$/m)
  assert.match(server.mails[1]!.text, /^<p>Sector 7 of \/dev\/sda1 will fail\.\r$/m)
})

test("templates have event.message, event.title and event.source", () => {
  const f = (posted: ElementEvent, want: string) => {
    const postContentTemplate =
      "${event.message!'none'}|${event.title!'none'}|${event.source!'none'}"
    assert.equal(webhook(inputOf(noticeOf(posted), { postContentTemplate })).body, want)
  }
  f(external(text), `${text}|sda1|smartd`)
  f(external({ not: "a text" }), "none|sda1|smartd")
  f(external(undefined, null), "none|none|smartd")
})

test("a title that no sentence has is a line of its own", () => {
  const event = { ...external(text, "Disk"), data: { message: text, results: "{}" } }
  const notice = { ...noticeOf(event), event }
  assert.equal(contentOf(notice, "https://x").text, `Disk\n${text}`)
})

test("a message of a mebibyte is cut, in the event too", () => {
  const notice = noticeOf(external("🔥".repeat(250_000)))
  assert.ok(JSON.stringify(notice).length < 64 * 1024)
  assert.match(contentOf(notice, "https://x").text, /🔥…$/u)
})

test("a message about metrics has none", () => {
  const { names, text: lines } = contentOf(messageAt(startMs), "https://x")
  assert.equal((names["event"] as { message: unknown }).message, null)
  assert.equal(lines, 'cpu.total is 97; this is above "90" & <high>.')
})
