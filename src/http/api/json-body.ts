/** JSON bodies of requests: limited in bytes and depth before they are parsed. */

import { invalid, ServiceError } from "../../base/errors.ts"
import { isDeeper } from "../../wire/json-depth.ts"
import { bodyTooLarge } from "../ingest/body-collector.ts"
import { UnreadableBody } from "../shared/errors.ts"
import { codingOf } from "../ingest/ingest-request.ts"
import type { HttpLimits } from "../shared/limits.ts"

type Limits = Pick<HttpLimits, "queryBodyBytesMax" | "queryBodyDepthMax">

/** Returns the JSON value of the body; null for an empty body. */
export async function readJson(request: Request, limits: Limits): Promise<unknown> {
  if (codingOf(request.headers.get("content-encoding") ?? undefined) !== null) {
    throw invalid("Expected a query body without Content-Encoding")
  }
  const text = new TextDecoder().decode(await readBodyBytes(request, limits.queryBodyBytesMax))
  if (text.trim() === "") return null
  return parseJsonText(text, limits.queryBodyDepthMax)
}

/** Parses JSON text. Throws `invalid` before parsing if it nests deeper than `depthMax`. */
export function parseJsonText(text: string, depthMax: number): unknown {
  if (isDeeper(text, depthMax)) {
    throw invalid(`Expected JSON nested at most ${depthMax} deep`)
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    // The message quotes a piece of the body, which may split a surrogate pair.
    const words = (cause as Error).message.replace(/\p{Surrogate}/gu, "\ufffd")
    throw new UnreadableBody(`Could not read JSON: ${words}`, { cause })
  }
}

/** Returns the bytes of the body. Throws `tooLarge` as soon as it exceeds `bytesMax`. */
export async function readBodyBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length")
  if (Number(announced ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
  try {
    // node:http enforces an announced length; only the bytes of a chunked body must be counted.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer())
    return await readCounted(request, bytesMax)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new UnreadableBody("The body ended too early", { cause })
  }
}

async function readCounted(request: Request, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > bytesMax) throw bodyTooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
