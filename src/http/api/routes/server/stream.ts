/** Route of streams, which report to pages what happens, as it happens (spec/status §2). */

import type { Principal } from "../../../../accounts/accounts.ts"
import { invalid } from "../../../../base/errors.ts"
import { text } from "../../../../wire/answer.ts"
import { shown } from "../../../../wire/problems.ts"
import { streamTopics, type StreamTopic } from "../../../live/stream-hub.ts"
import { repeatedParameter, wordValue } from "../../../shared/parameters.ts"
import { route, type Call, type Handler, type Route } from "../../../shared/route.ts"

const stream: Handler = async (call, { streams, accounts }) => {
  const request = { topics: readTopics(call), lastId: readLastId(call) }
  const reader = readerOf(call.identity!, call, accounts.standing.bind(accounts))
  // Before the head is sent, which cannot be taken back.
  streams.admit(reader)
  return { status: 200, events: (sink) => streams.open(sink, reader, request) }
}

function readTopics({ query }: Call): StreamTopic[] {
  const words = (query["topics"] ?? []).flatMap((text) => text.split(","))
  const asked = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== "")
  const topics = asked.map((word) => streamTopics.find((topic) => topic === word))
  if (topics.length > 0 && !topics.includes(undefined)) return topics as StreamTopic[]
  const got = shown(words.join(","))
  throw invalid(`topics: expected some of ${streamTopics.join(", ")}, got ${got}`)
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
