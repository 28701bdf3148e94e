/** Events as pages list and count them, and annotations (spec/events §5, spec/events §8). */

import assert from "node:assert/strict"
import { test } from "node:test"
import { newUser } from "../support/server/caller.ts"
import { errorOf } from "../support/server/responses.ts"
import { useAccount } from "../support/server/server.ts"

const client = useAccount()
const endMs = Date.now()
const hourMs = 3_600_000

interface EventAnswer {
  readonly id: string
  readonly title: string
  readonly source: string
  readonly elementFqn: string
  readonly data: Readonly<Record<string, string>>
  readonly tags: readonly object[]
}

interface ListAnswer {
  readonly events: readonly EventAnswer[]
  readonly next?: string | null
  readonly total?: number
}

/** Posts events `minutes` before now, titled with their position. */
async function post(elementId: string, minutes: readonly number[], level = "INFO") {
  const events = minutes.map((minute, at) => ({
    type: "INFO",
    title: `${elementId}-${at}`,
    source: "ci",
    timestamp: endMs - minute * 60_000,
    data: { elementId, level, message: `of ${elementId}` },
  }))
  const path = `/ingest/events/${client().apiKey}`
  const reply = await client().send(path, { method: "POST", body: events })
  assert.equal(reply.status, 202, reply.text)
}

const span = `startTime=${endMs - hourMs}&endTime=${endMs + 1}`

async function list(query: string): Promise<ListAnswer> {
  const reply = await client().get(`/events?${span}&${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json<ListAnswer>()
}

const titles = ({ events }: ListAnswer): string => events.map(({ title }) => title).join(" ")

test("pages of the newest first follow each other without a gap or a repetition", async () => {
  // Two of them have the same time.
  await post("paged", [30, 20, 20, 10, 5])
  const all = await list("elementId=paged&order=desc")
  assert.equal(all.events.length, 5)
  assert.equal(all.next, null)
  const seen: string[] = []
  let before = ""
  for (let turn = 0; turn < 3; turn++) {
    const page = await list(`elementId=paged&order=desc&limit=2&total=true&before=${before}`)
    assert.equal(page.total, before === "" ? 5 : 5 - seen.length)
    seen.push(...page.events.map(({ id }) => id))
    before = page.next ?? ""
  }
  assert.deepEqual(
    seen,
    all.events.map(({ id }) => id),
  )
  assert.equal(before, "")
  const oldest = await list("elementId=paged&limit=2")
  assert.equal(oldest.events[0]!.title, "paged-0")
  assert.equal(oldest.events.length, 2)
})

test("events are found by a part of title, message or element", async () => {
  await post("needle-web", [3])
  await post("hay", [3])
  assert.equal(titles(await list("q=NEEDLE")), "needle-web-0")
  assert.equal(titles(await list("q=of%20needle")), "needle-web-0")
  assert.equal(titles(await list("q=no-such-text")), "")
})

test("a histogram counts every event of the window in its part, by level", async () => {
  await post("counted", [59, 31, 29], "WARNING")
  await post("counted", [1], "CRITICAL")
  const reply = await client().get(`/events/histogram?${span}&elementId=counted&buckets=2`)
  const { start, step, count, levels } = reply.json<{
    start: number
    step: number
    count: number
    levels: Record<string, number[]>
  }>()
  assert.equal(start, endMs - hourMs)
  assert.equal(count, 2)
  assert.ok(start + step * count >= endMs)
  assert.deepEqual(levels, { INFO: [0, 0], WARNING: [2, 1], CRITICAL: [0, 1] })
})

test("a user notes something about an element, with its duration and tags", async () => {
  const samples = [{ metricId: "cpu", timestamp: endMs, val: 1 }]
  assert.equal((await client().ingest([{ id: "noted", type: "SERVER", samples }])).status, 202)
  const body = {
    title: "Deploy 1.2",
    message: "With the new cache",
    elementId: "noted",
    timestamp: endMs - 60_000,
    endTime: endMs,
    tags: [{ name: "stage", value: "production" }],
  }
  const made = await client().post("/events", body)
  assert.equal(made.status, 201, made.text)
  const { event } = made.json<{ event: EventAnswer }>()
  assert.equal(event.source, "user")
  assert.equal(event.elementFqn, "noted")
  assert.equal(event.data["author"], client().user)
  assert.equal(event.data["endTime"], new Date(endMs).toISOString())
  assert.deepEqual(event.tags, body.tags)
  const { events } = await list("elementId=noted")
  assert.deepEqual(
    events.map(({ id }) => id),
    [event.id],
  )
  const global = await client().post("/events", { title: "Power cut" })
  assert.equal(global.json<{ event: EventAnswer }>().event.elementFqn, "")
})

test("what has no meaning is refused by name; Read Only users note nothing", async () => {
  const refused = async (body: object, problem: RegExp, status = 400) => {
    const reply = await client().post("/events", body)
    assert.equal(reply.status, status, reply.text)
    assert.match(errorOf(reply).errors[0]!, problem)
  }
  await refused({}, /title/)
  await refused({ title: " " }, /title: expected a text that is not empty/)
  await refused({ title: "x".repeat(201) }, /title: expected a text of at most 200 characters/)
  await refused({ title: "a", timestamp: 1 }, /body.timestamp: expected an instant in the accepted/)
  await refused({ title: "a", endTime: endMs - hourMs }, /body.endTime: expected an instant after/)
  await refused({ title: "a", elementId: "no-such-element" }, /no-such-element/, 404)
  for (const query of ["before=17", "order=up", "limit=0", "limit=10001"]) {
    assert.equal((await client().get(`/events?${query}`)).status, 400, query)
  }
  const early = await client().get(`/events?before=1,0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10`)
  assert.match(errorOf(early).errors[0]!, /before: expected order=desc/)
  assert.equal((await client().get("/events/histogram?buckets=401")).status, 400)
  const reader = await newUser(client(), "event-reader", "Read Only")
  assert.equal((await reader.post("/events", { title: "a" })).status, 403)
  assert.equal((await reader.get("/events/histogram")).status, 200)
})
