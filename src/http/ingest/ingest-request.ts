/** Ingest request: reads the request line and the headers. Pure: no sockets, no bodies. */

import { invalid } from "../../base/errors.ts"
import type { Charset } from "../../ingest/ingest.ts"
import type { IncomingHttpHeaders } from "node:http"

/** The parts of the path of an ingest request. */
export interface IngestTarget {
  /** The API key as sent: a secret that must not be logged or echoed. */
  readonly apiKey: string
  /** The path segment before the key, which names the kind of client; null if absent. */
  readonly kind: string | null
}

const prefix = "/ingest/"

/** Protocols of the ingest endpoint, for `GET /status`; pages show a snippet for each. */
export const servedProtocols: readonly string[] = ["json", "collectd"]

/**
 * Reads `/ingest/{apiId}` and `/ingest/{kind}/{apiId}`, with or without a trailing slash or a query
 * string. Returns null for every other path, including `/ingest/events/…` and `/ingest/webhook/…`,
 * which have handlers of their own.
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
 * Collapses repeated slashes of the path if it is a path of ingest or of a check; returns any other
 * URL unchanged. Clients append a key or a kind to a base URL that ends in a slash.
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
    // An invalid escape cannot be in a key, so the key is refused as unknown.
    return segment
  }
}

/** Options of an ingest request. */
export interface IngestOptions {
  readonly sendResponseBody: boolean
  readonly injectTimestamp: boolean
}

const noOptions: IngestOptions = { sendResponseBody: false, injectTimestamp: false }

/**
 * Reads the option headers under all three of their names (spec/names §1). Ignores unknown
 * options.
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
 * The charset that a Content-Type declares, or "none" if it declares none or an unknown one; the
 * charset is then detected from the bytes (spec/ingest §3). The media type is ignored.
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
  "iso-8859-15": "iso-8859-15",
  "latin-9": "iso-8859-15",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
}

export type RequestCoding = "gzip" | "deflate" | "br"

/**
 * The compression of the body; null if it is not compressed. Throws `invalid` for an unsupported
 * coding.
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
