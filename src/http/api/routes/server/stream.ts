/** Route of streams, which report to pages what happens, as it happens (spec/status §2). */

import type { Principal } from "../../../../accounts/accounts.ts"
import { invalid } from "../../../../base/errors.ts"
import { followedSeriesMax } from "../../../../base/limits/streams.ts"
import { isUuid } from "../../../../base/uuid.ts"
import { text } from "../../../../wire/answer.ts"
import { shown } from "../../../../wire/problems.ts"
import type { SeriesName } from "../../../../wire/series/series-query-body.ts"
import { streamTopics, type StreamTopic } from "../../../live/stream-hub.ts"
import { repeatedParameter, wordValue } from "../../../shared/parameters.ts"
import { route, type Call, type Handler, type Route } from "../../../shared/route.ts"

const stream: Handler = async (call, { streams, accounts }) => {
  const topics = readTopics(call)
  const request = { topics, series: readSeries(call, topics), lastId: readLastId(call) }
  const reader = readerOf(call.identity!, call, accounts.standing.bind(accounts))
  // Before the head is sent, which cannot be taken back.
  streams.admit(reader, request)
  return { status: 200, events: (sink) => streams.open(sink, reader, request) }
}

function readTopics({ query }: Call): StreamTopic[] {
  const words = wordsOf(query["topics"])
  const asked = words.map((word) => word.toLowerCase())
  const topics = asked.map((word) => streamTopics.find((topic) => topic === word))
  if (topics.length > 0 && !topics.includes(undefined)) return topics as StreamTopic[]
  const got = shown(words.join(","))
  throw invalid(`topics: expected some of ${streamTopics.join(", ")}, got ${got}`)
}

function wordsOf(values: readonly string[] = []): string[] {
  const words = values.flatMap((value) => value.split(","))
  return words.map((word) => word.trim()).filter((word) => word !== "")
}

/** The series of the topic `series`: ids of element and metric with a dot between; else none. */
function readSeries({ query }: Call, topics: readonly StreamTopic[]): SeriesName[] {
  const words = wordsOf(query["series"])
  if (words.length > followedSeriesMax) {
    throw invalid(`series: expected at most ${followedSeriesMax} series, got ${words.length}`)
  }
  const names = [...new Set(words)].map((word) => {
    const [elementId = "", metricId = "", ...rest] = word.split(".")
    if (isUuid(elementId) && isUuid(metricId) && rest.length === 0) return { elementId, metricId }
    throw invalid(`series: expected ids as elementId.metricId, got ${shown(word)}`)
  })
  return topics.includes("series") ? names : []
}

/** Browsers send it when they connect again. Any other text is of no stream of ours. */
function readLastId({ request }: Call): number | null {
  const text = request.headers.get("last-event-id")
  if (text === null || text === "") return null
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/** A reader that may read for as long as it is who it was. */
function readerOf(
  principal: Principal,
  { session }: Pick<Call, "session">,
  standing: (principal: Principal, sessionId: string | null) => string | null,
) {
  const { tenant, user } = principal
  const sessionId = session?.id ?? null
  const before = standing(principal, sessionId)
  return {
    tenant,
    user,
    mayRead: () => before !== null && standing(principal, sessionId) === before,
  }
}

export const streamRoutes: readonly Route[] = [
  route("System", "/stream", {
    GET: {
      summary: "What happens, as server-sent events, until either side closes the connection",
      access: "reader",
      parameters: [
        repeatedParameter("topics", "What is reported; `time`, `reset` and `bye` always are", {
          value: wordValue(streamTopics),
          example: "incident",
        }),
        repeatedParameter("series", "Of the topic `series`: at most 200 as elementId.metricId", {
          example: "6a7fb1f8-5b9c-3f0e-9d0a-0f3a5c2f1d11.0d9a3f86-8d2e-3c66-8f5e-3f9f8f0b7a21",
        }),
        {
          name: "Last-Event-ID",
          in: "header",
          description: "Id of the last message that was read: those after it come first",
        },
      ],
      response: {
        status: 200,
        description: "Messages of the topics, with JSON as data",
        schema: text,
        type: "text/event-stream",
      },
      handle: stream,
    },
  }),
]
