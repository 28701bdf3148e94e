/** Notifications of collectd, at the address of its value lists (spec/ingest §13). */

import assert from "node:assert/strict"
import { test } from "node:test"
import * as fc from "fast-check"
import { eventBodyBytesMax, tagsPerEntityMax, textCharactersMax } from "../../src/base/limits.ts"
import type { IngestRequest } from "../../src/ingest/ingest.ts"
import { element, nowMs, Reading } from "./reading.ts"

const at = (ms: number) => new Date(ms).toISOString()

const labels = {
  alertname: "collectd_df_df_complex",
  instance: "web-01",
  df: "root",
  type: "free",
  severity: "FAILURE",
  service: "collectd",
}
const summary = "Host web-01, plugin df: below the failure threshold of 2."
const notification = (members: object = {}, more: object = {}) => ({
  labels: { ...labels, ...more },
  annotations: { summary, CurrentValue: "1.5", Missing: null },
  startsAt: "2026-11-20T23:59:59.123456789Z",
  ...members,
})

const gauge = {
  values: [5],
  dstypes: ["gauge"],
  dsnames: ["value"],
  time: nowMs / 1000,
  host: "web-01",
  plugin: "load",
  type: "load",
}

function read(body: unknown, options: Partial<IngestRequest> = {}) {
  const reading = new Reading()
  const outcome = reading.read(body, { isCollectd: true, ...options })
  return { outcome, samples: reading.samples(), catalogue: reading.catalogue }
}

/** The one event of a body of one notification. */
function eventOf(sent: unknown, options: Partial<IngestRequest> = {}) {
  const { outcome } = read([sent], options)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  assert.equal(outcome.refused, undefined)
  const [event, ...others] = outcome.events ?? []
  assert.ok(event !== undefined && others.length === 0)
  return event
}

test("a notification becomes an event of its host, and changes no element", () => {
  const { outcome, samples, catalogue } = read([notification()])
  const data = { CurrentValue: "1.5", Missing: null }
  const event = {
    timeMs: nowMs - 877,
    isTimed: true,
    elementFqn: "web-01",
    level: "CRITICAL",
    type: "CRITICAL",
    title: summary,
    source: "collectd",
    data: { ...data, elementId: "web-01", level: "CRITICAL", message: summary },
    tags: Object.entries(labels).map(([name, value]) => ({ name, value })),
  }
  assert.deepEqual(outcome, { ok: true, elements: 0, samples: 0, events: [event] })
  assert.deepEqual([samples.length, catalogue.elementCount], [0, 0])
})

test("the element is that of the host's value lists, whatever its name", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 30 }), (host) => {
      const { outcome, samples } = read([notification({}, { instance: host }), { ...gauge, host }])
      assert.ok(outcome.ok)
      assert.equal(outcome.events![0]!.elementFqn, samples[0]!.element)
    }),
  )
})

test("severities are levels, those of collectd and of the service", () => {
  const f = (severity: unknown, want: string) => {
    const { level, type, data } = eventOf(notification({}, { severity }))
    assert.deepEqual([level, type, data["level"]], [want, want, want], String(severity))
  }
  f("FAILURE", "CRITICAL")
  f("WARNING", "WARNING")
  f("OKAY", "INFO")
  f("UNKNOWN", "INFO")
  f("failure", "CRITICAL")
  f("warn", "WARNING")
  f("critical", "CRITICAL")
  f("", "INFO")
  f(null, "INFO")
  f(3, "INFO")
  f("constructor", "INFO")
})

test("the title is the summary, or the name of the alert", () => {
  const f = (annotations: unknown, want: string, message: string) => {
    const event = eventOf(notification({ annotations }))
    assert.deepEqual([event.title, event.data["message"]], [want, message])
  }
  f({ summary: "full" }, "full", "full")
  f({ summary: 7 }, "7", "7")
  f({ summary: " " }, labels.alertname, " ")
  f({ summary: null }, labels.alertname, "")
  f({}, labels.alertname, "")
  f(null, labels.alertname, "")
  const long = "x".repeat(textCharactersMax + 1)
  f({ summary: long }, labels.alertname, long)
  f({ summary: "a", elementId: "db", level: "INFO", message: "b" }, "a", "a")
  const own = eventOf(notification({ annotations: { elementId: "db", level: "INFO" } }))
  assert.deepEqual([own.data["elementId"], own.data["level"]], ["web-01", "CRITICAL"])
})

test("the time is in the forms of samples; without one it is the server's", () => {
  const f = (startsAt: unknown, timeMs: number, isTimed: boolean, injectTimestamp = false) => {
    const event = eventOf(notification({ startsAt }), { injectTimestamp })
    assert.deepEqual([event.timeMs, event.isTimed], [timeMs, isTimed], String(startsAt))
  }
  f("2026-11-20T23:59:59.000000001Z", nowMs - 1_000, true)
  f("2026-11-21T00:59:59+01:00", nowMs - 1_000, true)
  f(nowMs - 5, nowMs - 5, true)
  f(String(nowMs - 5), nowMs - 5, true)
  f(undefined, nowMs, false)
  f(null, nowMs, false)
  f("", nowMs, false)
  f(at(nowMs - 5), nowMs, false, true)
  f("never", nowMs, false, true)
})

test("invalid notifications are reported, and the valid entries of a body stored", () => {
  const f = (bad: object, want: RegExp) => {
    const { outcome, samples } = read([bad, notification(), gauge])
    assert.ok(outcome.ok, JSON.stringify(bad))
    assert.deepEqual([outcome.events?.length, samples.length], [1, 1])
    const errors = outcome.refused?.errors ?? []
    assert.equal(errors.length, 1)
    assert.match(errors[0]!, want)
    const alone = read([bad]).outcome
    assert.ok(!alone.ok)
    assert.deepEqual([alone.detail, alone.errors], ["Input Validation Failed", errors])
  }
  f(notification({ labels: 7 }), /^Notification 0: labels 7 is not an object$/)
  f(notification({ labels: [] }), /labels \[\] is not an object/)
  f(notification({ labels: null }), /Missing required field 'host', the label 'instance'/)
  f(notification({}, { instance: "" }), /Missing required field 'host'/)
  f(notification({}, { instance: {} }), /label "instance": {} is not a text/)
  f(notification({}, { "": "x" }), /label "" is not a name/)
  const long = "x".repeat(textCharactersMax + 1)
  f(notification({}, { df: long }), /label "df": "x+… is not a text/)
  f(notification({}, { [long]: "df" }), /label "x+… is not a name/)
  const many = Array.from({ length: tagsPerEntityMax }, (_, i) => [`l${i}`, "x"])
  f(notification({}, Object.fromEntries(many)), /262 labels, at most 256 fit/)
  f(notification({ annotations: "x" }), /annotations "x" is not an object/)
  f(notification({ annotations: { summary: ["x"] } }), /summary \["x"\] is not a text/)
  f(notification({ annotations: {} }, { alertname: "" }), /'summary' or label 'alertname'/)
  f(notification({ startsAt: "soon" }), /startsAt "soon": expected epoch milliseconds or ISO/)
  f(notification({ startsAt: {} }), /startsAt {}: expected/)
  f(notification({ startsAt: at(0) }), /startsAt: timestamp "1970.*outside the accepted period/)
  f(notification({ startsAt: nowMs / 1000 }), /outside the accepted period.*seconds/)
})

test("notifications and value lists may be mixed in any order", () => {
  const entries = [notification(), gauge, notification({}, { severity: "OKAY" })]
  for (const body of [entries, entries.toReversed(), entries.slice(0, 2), entries.slice(1)]) {
    const { outcome, samples } = read(body)
    assert.ok(outcome.ok)
    assert.deepEqual([outcome.elements, outcome.samples, samples.length], [1, 1, 1])
    assert.equal(outcome.events?.length, body.length - 1)
  }
  // A value list is one whatever else it has.
  assert.equal(read([{ ...gauge, labels, startsAt: at(0) }]).samples.length, 1)
  const { outcome } = read([])
  assert.deepEqual(outcome, { ok: true, elements: 0, samples: 0 })
})

test("a body larger than one of events has its value lists stored, not its notifications", () => {
  const annotations = { summary: "x".repeat(eventBodyBytesMax) }
  const { outcome, samples } = read([gauge, notification({ annotations })])
  assert.ok(outcome.ok)
  assert.deepEqual([samples.length, outcome.events], [1, undefined])
  const problem = /^Notification 1: a body with notifications has at most 1048576 bytes, not 1048/
  assert.match(outcome.refused!.errors[0]!, problem)
})

test("only collectd's address takes notifications, and there not behind an element", () => {
  assert.ok(!read([notification()], { isCollectd: false }).outcome.ok)
  assert.ok(!read([element(), notification()]).outcome.ok)
})
