/** The hub of streams: what is kept, resumed, bounded and ended (spec/status §2). */

import assert from "node:assert/strict"
import { test } from "node:test"
import {
  followedPerAccountMax,
  followedPointsMax,
  followedSeriesMax,
  streamBurstMax,
  streamFiguresMs,
  streamRingIdleMs,
  streamRingMax,
  streamSeriesMs,
  streamsMax,
  streamsPerUserMax,
  streamTimeMs,
  streamUnreadBytesMax,
} from "../../src/base/limits/streams.ts"
import { StreamFeed } from "../../src/http/live/stream-feed.ts"
import { StreamHub, type StreamTopic } from "../../src/http/live/stream-hub.ts"
import type { SeriesFollowersDeps } from "../../src/http/live/series-followers.ts"
import type { SeriesName } from "../../src/wire/series/series-query-body.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { TestClock } from "../support/time/test-clock.ts"

const startedMs = 1_000_000

const incident: Incident = {
  id: "i",
  timeMs: 0,
  lastFiredMs: 0,
  closedMs: null,
  policyId: "p",
  elementId: "e",
  elementFqn: "web-1",
  elementName: "web-1",
  eventIds: ["a"],
  violatingMetricFqns: [],
  acked: false,
}

class Sink {
  text = ""
  unreadBytes = 0
  end_ = false
  isCut = false
  isClosed = false
  private close_ = () => {}
  write(text: string): void {
    this.text += text
  }
  end(): void {
    this.end_ = true
    this.close_()
  }
  cut(): void {
    this.isCut = true
    this.close_()
  }
  onClose(callback: () => void): void {
    this.close_ = callback
    if (this.isClosed) callback()
  }
  close(): void {
    this.close_()
  }
  /** `id event` of each message, in order. */
  get told(): string[] {
    return [...this.text.matchAll(/(?:id: (\d+)\n)?event: (\w+)/g)].map(([, id, event]) =>
      id === undefined ? event! : `${Number(id) - startedMs} ${event}`,
    )
  }
}

const names = [{ elementId: "e", metricId: "m" }]
const others = [{ elementId: "e", metricId: "n" }]

function fixture() {
  const state = { elapsedMs: 0, problems: [] as string[], figures: null as object | null }
  const points = { requests: 0, of: {} as Record<string, [number, number][]>, reads: 0 }
  const series: SeriesFollowersDeps = {
    read: async (_, asked) => {
      points.reads++
      return asked.names.map(({ metricId }) => points.of[metricId] ?? [])
    },
    requests: () => points.requests,
    nowMs: () => 5_000,
  }
  let tick: (() => void) | null = null
  const hub = new StreamHub({
    clock: new TestClock(5_000),
    speed: 1,
    elapsedMs: () => state.elapsedMs,
    startedMs,
    repeat: (callback) => {
      tick = callback
      return () => (tick = null)
    },
    ingest: () => (state.figures === null ? null : Promise.resolve(state.figures)),
    series,
    problems: () => state.problems,
  })
  const open = (
    change: {
      tenant?: number
      user?: string
      topics?: StreamTopic[]
      series?: SeriesName[]
      lastId?: number | null
      mayRead?: () => boolean
      isClosed?: boolean
    } = {},
  ) => {
    const { tenant = 0, user = "ada", mayRead = () => true } = change
    const { topics = ["incident"], series: followed = [], lastId = null } = change
    const sink = new Sink()
    sink.isClosed = change.isClosed ?? false
    hub.open(sink, { tenant, user, mayRead }, { topics, series: followed, lastId })
    return sink
  }
  const ticks = (count: number) => {
    for (let turn = 0; turn < count; turn++) tick?.()
  }
  return { hub, state, points, open, ticks, isTicking: () => tick !== null }
}

const timeTicks = streamTimeMs / streamFiguresMs

/** Resolves after what promises have set off. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test("a stream gets the topics of its account that it asked for, with ids that count up", () => {
  const { hub, open } = fixture()
  const [own, events, foreign] = [open(), open({ topics: ["event"] }), open({ tenant: 1 })]
  hub.report(0, "incident", [{ n: 1 }, { n: 2 }])
  hub.report(0, "event", [{ n: 3 }])
  assert.deepEqual(own.told, ["0 time", "1 incident", "2 incident"])
  assert.deepEqual(events.told, ["0 time", "3 event"])
  assert.deepEqual(foreign.told, ["0 time"])
  assert.match(own.text, /^retry: 1000\n\n/)
  assert.match(own.text, /\ndata: \{"n":2\}\n\n$/)
})

test("a stream goes on after the last id that its client has read", () => {
  const { hub, open } = fixture()
  open().close()
  hub.report(0, "incident", [{ n: 1 }, { n: 2 }, { n: 3 }])
  assert.deepEqual(open({ lastId: startedMs + 1 }).told, ["2 incident", "3 incident", "3 time"])
  assert.deepEqual(open({ lastId: startedMs + 3 }).told, ["3 time"])
})

test("incidents and cycles of an account without a stream are there when it comes back", () => {
  const { hub, open } = fixture()
  const feed = new StreamFeed({ hub, tenantUuid: () => "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10" })
  const topics: StreamTopic[] = ["incident", "cycle"]
  open({ topics }).close()
  feed.incidents(0, [{ step: "opened", incident }])
  feed.cycleClosed({ cycle: 1, elements: 1, durationMs: 2 })
  const sink = open({ topics, lastId: startedMs })
  assert.deepEqual(sink.told, ["1 incident", "2 cycle", "2 time"])
  assert.match(sink.text, /"step":"opened","incidentId":"i"/)
  assert.match(sink.text, /"opened":1,"closed":0/)
})

test("a client that has missed more than is kept starts again, also after a restart", () => {
  const { hub, open, state } = fixture()
  open().close()
  for (let n = 0; n <= streamRingMax; n++) hub.report(0, "incident", [{ n }])
  assert.deepEqual(open({ lastId: startedMs }).told[0], "reset")
  const kept = open({ lastId: startedMs + 1 })
  assert.equal(kept.told.length, streamRingMax + 1)
  for (const lastId of [0, startedMs + 10_000]) assert.equal(open({ lastId }).told[0], "reset")
  const idle = fixture()
  idle.open().close()
  idle.hub.report(0, "incident", [{ n: 1 }])
  idle.state.elapsedMs = streamRingIdleMs + 1
  idle.hub.report(0, "incident", [{ n: 2 }])
  assert.equal(idle.open({ lastId: startedMs }).told[0], "reset")
  assert.equal(state.elapsedMs, 0)
})

test("a burst becomes one reset, also to a client that comes back", () => {
  const { hub, open } = fixture()
  const [now, later] = [open(), open()]
  later.close()
  const many = Array.from({ length: streamBurstMax + 1 }, (_, n) => ({ n }))
  hub.report(0, "incident", many)
  assert.deepEqual(now.told, ["0 time", "1 reset"])
  assert.match(now.text, /data: \{"topic":"incident","messages":101\}/)
  assert.deepEqual(open({ lastId: startedMs }).told, ["1 reset", "1 time"])
})

test("figures of ingest are sent while they change, and the time every 5 s", async () => {
  const { open, ticks, state } = fixture()
  const sink = open({ topics: ["ingest"] })
  ticks(1)
  state.figures = { samples: 2 }
  ticks(1)
  await settled()
  state.figures = null
  ticks(timeTicks - 2)
  assert.deepEqual(sink.told, ["0 time", "ingest", "0 time"])
})

test("followed points go to the streams that follow them, once, after a request", async () => {
  const { open, ticks, points } = fixture()
  const sink = open({ topics: ["series"], series: names })
  const other = open({ topics: ["series"], series: others })
  points.of = { m: [[1, 10], [2, 20]] } // prettier-ignore
  const turn = async () => {
    ticks(streamSeriesMs / streamFiguresMs)
    await settled()
  }
  const seriesOf = ({ told }: Sink) => told.filter((event) => event === "series").length
  await turn()
  await turn()
  assert.deepEqual([sink, other].map(seriesOf), [1, 0])
  const first = { series: [{ ...names[0]!, points: points.of["m"] }], isPartial: false }
  assert.ok(sink.text.endsWith(`data: ${JSON.stringify(first)}\n\n`), sink.text)
  assert.equal(points.reads, 1)
  points.requests++
  points.of = { m: [[2, 20], [3, 30]], n: [[3, 1]] } // prettier-ignore
  await turn()
  assert.match(sink.text, /"points":\[\[3,30\]\]/)
  assert.equal(seriesOf(other), 1)
  other.close()
  points.requests++
  points.of = { m: [], n: [[4, 1]] }
  await turn()
  assert.equal(points.reads, 3)
  assert.deepEqual([sink, other].map(seriesOf), [2, 1])
})

test("a message has the newest points only, and says so", async () => {
  const { open, ticks, points } = fixture()
  const sink = open({ topics: ["series"], series: [...names, ...others] })
  points.of = { m: Array.from({ length: followedPointsMax }, (_, i) => [i, i]) }
  ticks(streamSeriesMs / streamFiguresMs)
  await settled()
  const { series, isPartial } = JSON.parse(/data: (\{"series".*)/.exec(sink.text)![1]!) as {
    series: { points: [number, number][] }[]
    isPartial: boolean
  }
  assert.equal(isPartial, true)
  assert.equal(series[0]!.points.length, followedPointsMax / 2)
  assert.deepEqual(series[0]!.points.at(-1), [followedPointsMax - 1, followedPointsMax - 1])
})

test("the series of all streams of an account are limited; a closed one makes room", () => {
  const { open } = fixture()
  const many = Array.from({ length: followedSeriesMax }, (_, i) => ({
    elementId: "e",
    metricId: `${i}`,
  }))
  const follow = (user: string) => open({ topics: ["series"], series: many, user })
  const sinks = Array.from({ length: followedPerAccountMax / followedSeriesMax }, (_, i) =>
    follow(`user-${i}`),
  )
  assert.throws(() => follow("eve"), { code: "throttled" })
  sinks[0]!.close()
  follow("eve")
})

test("a change of readiness is sent once", () => {
  const { open, ticks, state } = fixture()
  const sink = open({ topics: ["status"] })
  state.problems = ["The disk is nearly full"]
  ticks(2)
  state.problems = []
  ticks(1)
  assert.deepEqual(sink.told, ["0 time", "1 status", "2 status"])
  assert.match(sink.text, /"ready":false,"problems":1/)
})

test("a client that does not read is cut off, others are not", () => {
  const { hub, open } = fixture()
  const [slow, quick] = [open(), open()]
  slow.unreadBytes = streamUnreadBytesMax + 1
  hub.report(0, "incident", [{ n: 1 }, { n: 2 }])
  assert.equal(slow.isCut, true)
  assert.deepEqual(slow.told, ["0 time", "1 incident"])
  assert.deepEqual(quick.told, ["0 time", "1 incident", "2 incident"])
  assert.equal(hub.size, 1)
})

test("streams of one user and of all are limited; a closed one makes room", () => {
  const { hub, open, isTicking } = fixture()
  const own = Array.from({ length: streamsPerUserMax }, () => open())
  assert.throws(() => open(), { code: "throttled" })
  own[0]!.close()
  open()
  for (let n = hub.size; n < streamsMax; n++) open({ user: `user-${n}` })
  assert.throws(() => open({ tenant: 1, user: "eve" }), { code: "overloaded" })
  assert.equal(isTicking(), true)
})

test("a stream whose reader may not read any more is ended, within 5 s by itself", () => {
  const { hub, open, ticks } = fixture()
  let may = true
  const [gone, stays] = [open({ mayRead: () => may }), open()]
  may = false
  ticks(timeTicks)
  assert.deepEqual(gone.told, ["0 time", "bye"])
  assert.match(gone.text, /"reason":"signedOut"/)
  assert.equal(gone.end_, true)
  assert.deepEqual(stays.told, ["0 time", "0 time"])
  assert.equal(hub.size, 1)
})

test("a stop says bye, ends every stream and the timer, and admits no other stream", () => {
  const { hub, open, isTicking } = fixture()
  const sink = open()
  hub.stop()
  assert.deepEqual(sink.told, ["0 time", "bye"])
  assert.equal(sink.end_, true)
  assert.equal(isTicking(), false)
  assert.throws(() => open(), { code: "stopping" })
})

test("a stream whose client has left before it begins takes no room", () => {
  const { hub, open, isTicking } = fixture()
  open({ isClosed: true })
  assert.equal(hub.size, 0)
  assert.equal(isTicking(), false)
})
