/** What the request line and the headers of an ingest request say. Pure: no sockets, no bodies. */

import { invalid } from "../../base/errors.ts"
import type { Charset } from "../../engine/shard-protocol.ts"
import type { IncomingHttpHeaders } from "node:http"

/** Where an ingest request is addressed to. */
export interface IngestTarget {
  /** The API key as sent: a secret, never to be logged or echoed. */
  readonly apiKey: string
  /** The word before it, which tells the kind of the sender; null where there is none. */
  readonly kind: string | null
}

const prefix = "/ingest/"

/**
 * Reads `/ingest/{apiId}` and `/ingest/{kind}/{apiId}`, with or without a trailing slash or a query
 * string. Null for every other path, `/ingest/events/…` and `/ingest/webhook/…` among them: they
 * have handlers of their own.
 */
export function ingestTarget(url: string): IngestTarget | null {
  if (!url.startsWith(prefix)) return null

  const query = url.indexOf("?")
  const end = query < 0 ? url.length : query
  const last = url.charCodeAt(end - 1) === slash ? end - 1 : end
  const kindEnd = url.indexOf("/", prefix.length)
  if (kindEnd < 0 || kindEnd >= last) return targetOf(url.slice(prefix.length, last), null)

  const kind = url.slice(prefix.length, kindEnd)
  const rest = url.slice(kindEnd + 1, last)
  if (kind === "" || rest.includes("/") || isReserved(kind)) return null
  return targetOf(rest, kind)
}

const slash = 0x2f

/**
 * The URL with repeated slashes of its path folded into one, if it is one of ingest or of a check
 * then; else as it is. Senders put a key or a kind behind a base URL that ends in a slash.
 */
export function withoutRepeatedSlashes(url: string): string {
  if (!url.includes("//")) return url
  const query = url.indexOf("?")
  const end = query < 0 ? url.length : query
  const path = url.slice(0, end).replace(/\/{2,}/g, "/")
  return path.startsWith(prefix) || path.startsWith("/check/") ? path + url.slice(end) : url
}

function isReserved(kind: string): boolean {
  return kind === "events" || kind === "webhook"
}

function targetOf(segment: string, kind: string | null): IngestTarget | null {
  if (segment === "" || isReserved(segment)) return null
  return { apiKey: segment.includes("%") ? decoded(segment) : segment, kind }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A broken escape is no key; it goes on to be refused as an unknown one.
    return segment
  }
}

/** What an ingest request asks for beside storing its body. */
export interface IngestOptions {
  readonly sendResponseBody: boolean
  readonly injectTimestamp: boolean
}

const noOptions: IngestOptions = { sendResponseBody: false, injectTimestamp: false }

/**
 * Reads the option headers under all three of their names (spec/names §1); unknown options are
 * ignored.
 */
export function ingestOptions(headers: IncomingHttpHeaders): IngestOptions {
  const lists = [
    headers["x-service-api-options"],
    headers["x-netuitive-api-options"],
    headers["x-metricly-api-options"],
  ]
  if (lists.every((list) => list === undefined)) return noOptions

  const options = new Set<string>()
  for (const option of lists.flat().join(",").split(",")) options.add(option.trim().toUpperCase())
  return {
    sendResponseBody: options.has("SEND_RESPONSE_BODY"),
    injectTimestamp: options.has("INJECT_TIMESTAMP"),
  }
}

const charsetParameter = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/**
 * The charset that a Content-Type declares. "none" where it declares none or one that we do not
 * know: the bytes themselves then tell (spec/ingest §3). The media type is never looked at.
 */
export function charsetOf(contentType: string | undefined): Charset {
  if (contentType === undefined || contentType === "application/json") return "none"
  const name = charsetParameter.exec(contentType)?.[1]?.toLowerCase()
  return (name !== undefined && charsetByName[name]) || "none"
}

const charsetByName: Readonly<Record<string, Charset>> = {
  __proto__: null as never,
  "utf-8": "utf-8",
  utf8: "utf-8",
  "utf-16": "utf-16",
  utf16: "utf-16",
  "utf-16le": "utf-16",
  "utf-16be": "utf-16",
  "iso-8859-1": "iso-8859-1",
  iso8859_1: "iso-8859-1",
  "iso8859-1": "iso-8859-1",
  latin1: "iso-8859-1",
  "latin-1": "iso-8859-1",
  "windows-1252": "iso-8859-1",
  cp1252: "iso-8859-1",
}

export type RequestCoding = "gzip" | "deflate" | "br"

/**
 * How the body is compressed, null where it is not. Throws `invalid` for a coding that we cannot
 * undo.
 */
export function codingOf(contentEncoding: string | undefined): RequestCoding | null {
  if (contentEncoding === undefined || contentEncoding === "") return null
  const names = contentEncoding
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity")
  if (names.length === 0) return null

  const coding = names.length === 1 ? codingByName[names[0]!] : undefined
  // Not 415: agents that test for it do not exist, and 400 is documented (spec/ingest §8).
  if (coding === undefined) {
    const got = JSON.stringify(contentEncoding.slice(0, 100))
    throw invalid(`Cannot read Content-Encoding ${got}: expected gzip, deflate, br or identity`)
  }
  return coding
}

const codingByName: Readonly<Record<string, RequestCoding>> = {
  __proto__: null as never,
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
}
