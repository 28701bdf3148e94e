/** Sender for webhooks: a JSON object with all template variables, or the rendered template. */

import { parsedJson } from "../../base/json-value.ts"
import { invalid } from "../../base/errors.ts"
import { renderContent } from "../message-content.ts"
import { propertyOf, templateOf, type OpenProperties, type Sender } from "./sender.ts"

/** No known service requires more. */
const headersMax = 50

export const webhook: Sender = ({ properties, message }) => {
  const template = templateOf(properties, "postContentTemplate")
  const { images: _, ...fields } = message.names
  const body = template === undefined ? JSON.stringify(fields) : renderContent(template, message)
  const type = parsedJson(body) !== undefined ? "application/json" : "text/plain; charset=utf-8"
  const headers = { "content-type": type, ...authorizationOf(properties), ...headersOf(properties) }
  return { url: properties["url"] ?? "", headers, body }
}

function authorizationOf(properties: OpenProperties): Record<string, string> {
  const user = propertyOf(properties, "basicUsername")
  if (user === undefined) return {}
  const credentials = `${user}:${properties["basicPassword"] ?? ""}`
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }
}

/** A JSON object, a JSON list of `{name, value}`, or lines `Name: value`. Throws `invalid`. */
export function headersOf(properties: OpenProperties): Record<string, string> {
  const text = propertyOf(properties, "headers")
  if (text === undefined) return {}
  const pairs = /^[[{]/.test(text) ? jsonPairs(text) : linePairs(text)
  const isFit = ([name, value]: [string, string]) =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  if (pairs.length > headersMax || !pairs.every(isFit)) {
    throw invalid(
      `notification.properties.headers: expected at most ${headersMax} headers as a JSON object, ` +
        'a JSON list of {"name", "value"}, or lines "Name: value"',
    )
  }
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

function jsonPairs(text: string): [string, string][] {
  const read = parsedJson(text) as Record<string, unknown> | Record<string, unknown>[] | undefined
  if (read === undefined) return [["", ""]]
  if (!Array.isArray(read)) return Object.entries(read).map(([name, v]) => [name, String(v)])
  return read.map((one) => [String(one?.["name"] ?? one?.["key"] ?? ""), String(one?.["value"])])
}

function linePairs(text: string): [string, string][] {
  return text.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
  })
}
