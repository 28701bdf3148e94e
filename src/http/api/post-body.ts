/**
 * Bodies of events and webhooks, which collectors post. They have the same leniency as ingest
 * (spec/ingest §3): compressed or not, in any charset that is declared or can be detected.
 */

import { eventBodyBytesMax, jsonDepthMax } from "../../base/limits.ts"
import { decodeBody } from "../../ingest/parser/decode.ts"
import { ServiceError } from "../../base/errors.ts"
import { collectBody } from "../ingest/body-collector.ts"
import type { ByteBudget } from "../ingest/body-collector.ts"
import { UnreadableBody } from "../shared/errors.ts"
import { charsetOf, codingOf, ingestOptions, type IngestOptions } from "../ingest/ingest-request.ts"
import type { EventsOfBody } from "../ingest/ingest-route.ts"
import { parseJsonText } from "./json-body.ts"
import type { Call } from "../shared/route.ts"
import type { TenantIndex } from "../../model/ids.ts"
import type { Records } from "../../records/records.ts"

/** Memory of one post in addition to its body. */
const postOverheadBytes = 1_024

/** The text of a body, and the bytes that the caller must release. */
export interface PostedText {
  readonly text: string
  readonly heldBytes: number
}

/** Reads the whole body of a call, counted by `budget`; an error releases all bytes. */
export async function readPost(call: Call, budget: ByteBudget): Promise<PostedText> {
  const { bytes, heldBytes } = await collect(call, budget)
  const contentType = call.request.headers.get("content-type") ?? undefined
  const text = decodeBody(bytes, charsetOf(contentType))
  if (text !== undefined) return { text, heldBytes }
  budget.release(heldBytes)
  throw new UnreadableBody("Could not read JSON: the body is not in the charset that it declares")
}

function collect(
  { request, incoming }: Call,
  budget: ByteBudget,
): Promise<{ bytes: Uint8Array; heldBytes: number }> {
  const coding = codingOf(request.headers.get("content-encoding") ?? undefined)
  if (!budget.reserve(postOverheadBytes)) throw postsFull()
  // Tests of the app alone have no socket to collect from.
  if (incoming === undefined) {
    return request.arrayBuffer().then((buffer) => {
      return { bytes: new Uint8Array(buffer), heldBytes: postOverheadBytes }
    })
  }
  const options = {
    coding,
    bytesMax: eventBodyBytesMax,
    budget,
    announcement: null,
    overheadBytes: postOverheadBytes,
  }
  return new Promise((resolve, reject) => {
    collectBody(incoming, options, (error, chunks, length) => {
      if (error !== null) reject(error as Error)
      else resolve({ bytes: Buffer.concat(chunks), heldBytes: length + postOverheadBytes })
    })
  })
}

/** Stores the events of a body of samples, counted as a post of their own. */
export async function storeEvents(
  { events: store, commitQueue }: Pick<Records, "events" | "commitQueue">,
  tenant: TenantIndex,
  { events, bodyBytes }: EventsOfBody,
): Promise<void> {
  const heldBytes = bodyBytes + postOverheadBytes
  if (!commitQueue.reserve(heldBytes)) throw postsFull()
  try {
    await store.accept(tenant, { received: events.length, events }, null)
  } finally {
    commitQueue.release(heldBytes)
  }
}

function postsFull(): ServiceError {
  return new ServiceError("overloaded", "Too many posts wait; nothing was stored", {
    retryAfterSeconds: 1,
  })
}

/** Parses posted text. Throws `UnreadableBody` if it is not JSON. */
export function postedJson(text: string): unknown {
  return parseJsonText(text, jsonDepthMax)
}

/** Reads the option headers of a call. */
export function postOptions({ request }: Call): IngestOptions {
  return ingestOptions(Object.fromEntries(request.headers))
}
