/** Parses and validates the URL of a call. */

import ipaddr from "ipaddr.js"
import { invalid } from "../base/errors.ts"

/** Servers refuse longer URLs, and a notification never needs one. */
const urlCharactersMax = 2048

/**
 * Ports of other protocols, for which a request could be mistaken: the "bad ports" of the Fetch
 * standard (https://fetch.spec.whatwg.org/#bad-port), and databases with line-based commands.
 */
const forbiddenPorts: ReadonlySet<string> = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 " +
    "111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 " +
    "540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 " +
    "5061 6000 6379 6566 6665 6666 6667 6668 6669 6679 6697 10080 11211"
  ).split(" "),
)

/**
 * The parsed URL, in which every spelling of an IPv4 address (octal, hexadecimal, short, one
 * number) has become four decimal parts, as the URL standard requires. Throws `invalid`.
 */
export function parseTarget(text: string): URL {
  if (text.length > urlCharactersMax || !URL.canParse(text)) {
    throw invalid(`${redactTarget(text)}: expected an http or https URL`)
  }
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`${redactTarget(text)}: expected http or https, got ${url.protocol}`)
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(`${redactTarget(text)}: expected a URL without user and password`)
  }
  if (forbiddenPorts.has(url.port)) {
    throw invalid(`${redactTarget(text)}: the port ${url.port} belongs to another protocol`)
  }
  return url
}

/** The host without brackets, and whether it is an address that needs no resolver. */
export function hostOf(url: URL): { host: string; isAddress: boolean } {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return { host, isAddress: ipaddr.isValid(host) }
}

/** The URL for messages and logs, without path and query: those of webhooks are secrets. */
export function redactTarget(text: string): string {
  if (!URL.canParse(text)) return "the URL"
  const { protocol, host } = new URL(text)
  return host === "" ? `a URL of ${protocol}` : `${protocol}//${host}`
}
