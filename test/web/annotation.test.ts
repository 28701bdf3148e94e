/** Typed annotations: times in the zone of the page, tags, and what cannot be sent. */

import assert from "node:assert/strict"
import { test } from "node:test"
import { Zone } from "../../src/web/format/zone.ts"
import {
  emptyAnnotation,
  readAnnotationForm,
  refusedFields,
  type AnnotationForm,
} from "../../src/web/pages/events/annotation-form.ts"

const nowMs = Date.parse("2026-11-20T14:05:00Z")
const style = { zone: new Zone("Europe/Zurich"), clock: "24" } as const

function read(form: Partial<AnnotationForm>) {
  return readAnnotationForm({ ...emptyAnnotation, title: "Deploy", ...form }, { style, nowMs })
}

test("an annotation is of now and about everything, if no more than its title is typed", () => {
  const { annotation, problems } = read({ title: " Deploy 1.2 " })
  assert.deepEqual(annotation, { title: "Deploy 1.2", timestamp: "2026-11-20T14:05:00.000Z" })
  assert.deepEqual(problems, {})
})

test("times are those of the zone, and an end of a day is the end", () => {
  const times = (start: string, end: string) => {
    const { annotation } = read({ start, end })
    return [annotation?.timestamp, annotation?.endTime]
  }
  const yesterday = ["2026-11-19T13:00:00.000Z", "2026-11-19T14:30:00.000Z"]
  assert.deepEqual(times("yesterday 14:00", "yesterday 15:30"), yesterday)
  assert.deepEqual(times("2026-11-19 14:00", "2026-11-19T14:30:00Z"), yesterday)
  assert.deepEqual(times("now-1d/d", "now-1d/d"), [
    "2026-11-18T23:00:00.000Z",
    "2026-11-19T23:00:00.000Z",
  ])
})

test("message, element and tags are sent, the tag that is typed among them", () => {
  const tags = ["stage:production", "canary"]
  const form = { message: "With the cache", element: " web-1 ", tags, tag: " at:10:30 " }
  assert.deepEqual(read(form).annotation, {
    title: "Deploy",
    timestamp: "2026-11-20T14:05:00.000Z",
    message: "With the cache",
    elementId: "web-1",
    tags: [
      { name: "stage", value: "production" },
      { name: "canary", value: "" },
      { name: "at", value: "10:30" },
    ],
  })
  assert.equal(read({ tags, tag: "canary" }).annotation?.tags?.length, 2)
})

test("each field that cannot be sent says why, with its value", () => {
  const problemsOf = (form: Partial<AnnotationForm>) => {
    const { annotation, problems } = read(form)
    assert.equal(annotation, null)
    return problems
  }
  assert.deepEqual(problemsOf({ title: " ", start: "soon", end: "later" }), {
    title: "An annotation needs a title.",
    start: "“soon” is no time that can be read.",
    end: "“later” is no time that can be read.",
  })
  assert.deepEqual(problemsOf({ start: "" }), { start: "An annotation needs a start." })
  assert.deepEqual(problemsOf({ start: "14:00", end: "13:00" }), {
    end: "The end, 2026-11-20 13:00:00, is before the start, 2026-11-20 14:00:00.",
  })
  assert.deepEqual(problemsOf({ tag: ":production" }), {
    tag: "A tag needs a name before its colon.",
  })
})

test("what the server refuses is said at the field that it names", () => {
  const refused = (...sentences: string[]) => refusedFields({ status: 400, sentences })
  assert.deepEqual(
    refused("body.timestamp: expected less, got 2", "tags[0].name: too long", "body.endTime: no"),
    {
      start: "The server refuses it: expected less, got 2",
      tag: "The server refuses it: too long",
      end: "The server refuses it: no",
    },
  )
  assert.deepEqual(refusedFields({ status: 404, sentences: ["There is no element nobody."] }), {
    element: "There is no element nobody.",
  })
  assert.deepEqual(refused("Too many requests"), { title: "Too many requests" })
  assert.deepEqual(refusedFields({ status: null, sentences: ["Not connected"] }), {
    title: "Not connected",
  })
})
