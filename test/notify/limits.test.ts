/** Limits of receivers, kept by every field of a request, whatever the message holds. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import type { ElementEvent } from "../../src/model/records/event.ts"
import type { PayloadType } from "../../src/model/records/notification-message.ts"
import { contentOf } from "../../src/notify/message-content.ts"
import { slack, teams } from "../../src/notify/senders/chat.ts"
import { opsgenie, pagerduty } from "../../src/notify/senders/on-call.ts"
import type { OpenProperties, Sender } from "../../src/notify/senders/sender.ts"
import { sns } from "../../src/notify/senders/sns.ts"
import { listenMail } from "./smtp.ts"
import { eventAt, messageOn, senderOf, startMs } from "./test-delivery.ts"

const url = "https://receiver.example/x"
const kib = 1024
/** Long words of one, two, three and four bytes, of pairs, and of what JSON and Slack escape. */
const letters = ["a", "é", "漢", "🔥", '"', "&", "\u0007", "\ud83d", " "]

interface Texts {
  readonly name: string
  readonly policy: string
  readonly sentence: string
}

/** An event with these texts, about `count` metrics. */
function eventOf({ name, policy, sentence }: Texts, count: number): ElementEvent {
  const event = eventAt(startMs)
  const metrics = Array.from({ length: count }, (_, i) => `metric.${i}.of.${name.slice(0, 20)}`)
  const conditions = metrics.map((fqn) => {
    return { id: fqn, violating: true, expression: `${fqn} ${sentence}` }
  })
  const more = [{ id: "0", violating: true, expression: sentence }]
  const results = JSON.stringify({ violating: true, conditions: [...more, ...conditions], metrics })
  const metricIds = metrics.map((fqn) => ({ fqn, id: event.elementId }))
  return {
    ...event,
    data: { metricIds, policyName: policy, metrics, results },
    policy: { ...event.policy!, name: policy },
    element: { ...event.element!, name },
  }
}

function sentBy(
  sender: Sender,
  event: ElementEvent,
  { payloadType = "event" as PayloadType, ...properties }: OpenProperties = {},
) {
  const notice = messageOn(event, payloadType as PayloadType)
  const message = contentOf(notice, "https://tidegauge.example.org")
  return sender({ properties: { url, ...properties }, message, nowMs: startMs }).body
}

type Json = Record<string, never>
const jsonOf = (body: string) => JSON.parse(body) as Json
const lengthOf = (text: unknown) => [...String(text)].length
const isAtMost = (text: unknown, max: number, what: string) => {
  assert.ok(
    String(text).length <= max,
    `${what}: ${String(text).length} characters, at most ${max}`,
  )
}

/** The checks of each receiver, by its documentation. */
const checks: Readonly<Record<string, (event: ElementEvent) => void>> = {
  slack: (event) => {
    const { text, attachments } = jsonOf(sentBy(slack, event)) as unknown as {
      text: string
      attachments: { footer: string; text: string }[]
    }
    isAtMost(text, 4_000, "text")
    isAtMost(attachments[0]!.footer, 300, "footer")
    isAtMost(JSON.stringify(attachments[0]), 40_000, "attachment")
  },
  teams: (event) => {
    assert.ok(Buffer.byteLength(sentBy(teams, event)) <= 28_000)
  },
  pagerduty: (event) => {
    const body = sentBy(pagerduty, event, { serviceKey: "k" })
    assert.ok(Buffer.byteLength(body) <= 512_000, `${Buffer.byteLength(body)} bytes`)
    const { dedup_key, payload } = jsonOf(body) as unknown as { dedup_key: string; payload: Json }
    isAtMost(dedup_key, 255, "dedup_key")
    for (const field of ["summary", "source", "component", "class"]) {
      isAtMost(payload[field], 1_024, field)
    }
  },
  "pagerduty, version 1": (event) => {
    const one = { serviceKey: "k", url: "https://x.example/create_event.json" }
    const body = sentBy(pagerduty, event, one)
    assert.ok(Buffer.byteLength(body) <= 512_000, `${Buffer.byteLength(body)} bytes`)
    isAtMost(jsonOf(body)["description"], 1_024, "description")
    isAtMost(jsonOf(body)["incident_key"], 255, "incident_key")
  },
  opsgenie: (event) => {
    const on = jsonOf(sentBy(opsgenie, event, { apiKey: "k" }))
    const max = { message: 130, alias: 512, description: 15_000, entity: 512, source: 100 }
    for (const [field, characters] of Object.entries(max)) isAtMost(on[field], characters, field)
    for (const tag of on["tags"] as unknown as string[]) isAtMost(tag, 50, "tag")
    const details = Object.entries(on["details"] as Record<string, string>)
      .flat()
      .join("")
    isAtMost(details, 8_000, "details")
    const off = jsonOf(sentBy(opsgenie, event, { apiKey: "k", payloadType: "event_cleared" }))
    isAtMost(off["note"], 25_000, "note")
  },
  sns: (event) => {
    const topicArn = "arn:aws:sns:eu-west-1:123456789012:alerts"
    const form = new URLSearchParams(sentBy(sns, event, { topicArn }))
    assert.match(form.get("Subject")!, /^[\x20-\x7e]{1,100}$/)
    const message = form.get("Message")!
    assert.ok(Buffer.byteLength(message) <= 256 * kib - 100, `${Buffer.byteLength(message)} bytes`)
    const { event: sent } = JSON.parse(message) as { event: { data: { results: string } } }
    assert.equal(typeof JSON.parse(sent.data.results), "object")
    const postContentTemplate = "${event.data.results}"
    const own = new URLSearchParams(sentBy(sns, event, { topicArn, postContentTemplate }))
    assert.ok(Buffer.byteLength(own.get("Message")!) <= 256 * kib - 100)
  },
}

test("no field of a request is longer than its receiver takes, whatever the event holds", () => {
  const word = fc.constantFrom(...letters)
  const long = (max: number) =>
    fc.tuple(word, fc.nat({ max })).map(([letter, times]) => letter.repeat(1 + times))
  const text = (max: number) => fc.array(long(max), { minLength: 1, maxLength: 4 })
  const texts = fc.record({
    name: text(1_500).map((parts) => parts.join("")),
    policy: text(5_000).map((parts) => parts.join("")),
    sentence: text(60_000).map((parts) => parts.join("")),
  })
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 1), (one, count) => {
      for (const check of Object.values(checks)) check(eventOf(one, count))
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

test("events about thousands of metrics fit, and say what they can", () => {
  const event = eventOf({ name: "Web 1", policy: "High CPU", sentence: "is 97" }, 5_000)
  for (const check of Object.values(checks)) check(event)
  const topicArn = "arn:aws:sns:eu-west-1:123456789012:alerts"
  const { event: sent } = JSON.parse(
    new URLSearchParams(sentBy(sns, event, { topicArn })).get("Message")!,
  ) as { event: { id: string; data: { metrics: string[] } } }
  assert.equal(sent.id, event.id)
  assert.ok(sent.data.metrics.length > 500, `${sent.data.metrics.length} metrics`)
})

test("a subject of SNS has an ASCII character for each other one, and is cut after that", () => {
  const topicArn = "arn:aws:sns:eu-west-1:123456789012:alerts"
  const subject = (policy: string) => {
    const event = eventOf({ name: "n", policy, sentence: "" }, 0)
    return new URLSearchParams(sentBy(sns, event, { topicArn })).get("Subject")!
  }
  const before = "CRITICAL: ".length
  assert.equal(subject("a🔥é"), "CRITICAL: a?? on n")
  const exact = "x".repeat(100 - before - " on n".length)
  assert.equal(subject(exact), `CRITICAL: ${exact} on n`)
  for (let i = 80; i < 110; i++) {
    const cut = subject(`${"x".repeat(i)}🔥🔥🔥`)
    assert.ok(lengthOf(cut) <= 100, cut)
    assert.match(cut, /^CRITICAL: x+[? on]*(?:\.\.\.|n)$/)
  }
})

/** The subject of a mail, of encoded words (RFC 2047). */
function subjectOf(mail: string): string {
  const folded = /^Subject: (.*(?:\r\n\s.*)*)/m.exec(mail)![1]!
  const words = [...folded.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)]
  const bytes = words.map(([, form, text]) =>
    form!.toUpperCase() === "B"
      ? Buffer.from(text!, "base64")
      : Buffer.from(
          text!.replaceAll("=", "%").replace(/%(..)/g, (_, hex: string) => {
            return String.fromCharCode(Number.parseInt(hex, 16))
          }),
          "latin1",
        ),
  )
  return Buffer.concat(bytes).toString()
}

test("a text is cut between characters", async (t) => {
  const event = eventOf({ name: "n", policy: "🔥".repeat(2_000), sentence: "🔥".repeat(70_000) }, 0)
  const bodies = [
    sentBy(slack, event),
    sentBy(teams, event),
    sentBy(pagerduty, event, { serviceKey: "k" }),
    sentBy(opsgenie, event, { apiKey: "k" }),
    new URLSearchParams(
      sentBy(sns, event, { topicArn: "arn:aws:sns:eu-west-1:123456789012:alerts" }),
    ).get("Message")!,
  ]
  // JSON escapes half a pair.
  for (const body of bodies) assert.doesNotMatch(body, /\\ud[89a-f]|\ufffd/i)
  const server = await listenMail()
  t.after(() => server.close())
  const mail = { smtpUrl: server.url, from: "tide@example.org", requireTls: "auto" } as const
  for (const subjectTemplate of ["${policyName}", "x${policyName}"]) {
    const properties = { address: "a@example.com", subjectTemplate }
    await senderOf({ mail }).deliver({ type: "email", properties }, messageOn(event))
    const subject = subjectOf(server.mails.at(-1)!.text)
    assert.match(subject, /^x?(?:🔥)+…$/u)
    isAtMost(subject, 250, "subject")
  }
})

test("two incidents whose ids are long have keys of their own", () => {
  const keyOf = (elementId: string) => {
    const event = { ...eventAt(startMs), elementId }
    return jsonOf(sentBy(pagerduty, event, { serviceKey: "k" }))["dedup_key"]
  }
  const long = "x".repeat(400)
  assert.notEqual(keyOf(`${long}1`), keyOf(`${long}2`))
  assert.equal(keyOf(`${long}1`), keyOf(`${long}1`))
})
