/**
 * UUIDs as text in lower case (RFC 4122): name-based ones of version 3, random ones of version 4.
 */

import { hash } from "node:crypto"
import { assert } from "./assert.ts"

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidText.test(text)
}

/**
 * The UUID of a name within a namespace: always and everywhere the same. Version 3 requires MD5;
 * the names are no secrets.
 */
export function uuidV3(namespaceUuid: string, name: string): string {
  if (namespaceUuid !== lastNamespace.uuid) lastNamespace = readNamespace(namespaceUuid)
  const digest = hash("md5", Buffer.concat([lastNamespace.bytes, Buffer.from(name, "utf8")]), "hex")
  return uuidFromHex(digest, 3)
}

/** Names come in long runs of one namespace; parsing it each time would be a third of the work. */
let lastNamespace = { uuid: "", bytes: Buffer.alloc(0) }

function readNamespace(uuid: string): typeof lastNamespace {
  assert(isUuid(uuid), `Expected a UUID as namespace, got ${uuid}`)
  return { uuid, bytes: Buffer.from(uuid.replaceAll("-", ""), "hex") }
}

/** The UUID of 16 random bytes; callers normally use `Random.uuid()`. */
export function uuidV4(randomBytes: Uint8Array): string {
  assert(randomBytes.length === 16, `Expected 16 bytes, got ${randomBytes.length}`)
  return uuidFromHex(Buffer.from(randomBytes).toString("hex"), 4)
}

/** Puts version and variant into 32 hexadecimal digits, and inserts the hyphens. */
function uuidFromHex(hex: string, version: 3 | 4): string {
  const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3]
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}` +
    `-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  )
}
