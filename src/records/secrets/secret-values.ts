/**
 * Classifies properties of datasources and notifications as secret, in whole or in part, and masks
 * them for the API. Properties have no schema (spec/records §3), so names and the form of values
 * decide; masking one too many costs little, since its value is still stored.
 */

export const hiddenSecret = "******"

/** Matched with names in lower case, without separators. */
const secretName = new RegExp(
  [
    "secret|passw|passphrase|pwd|token|credential|bearer|authorization|cookie",
    "^(?:key|pass|auth|sas|dsn|headers?)$",
    "(?:private|service|api|access|account|shared|routing|integration|signing|license)key$",
    "(?:basic|http|proxy|smtp|api|user|web)(?:auth|pass)$",
    "connectionstring$",
  ].join("|"),
)

const separators = /[-_.\s:/]/g

/** Whether the whole value of a property with this name is a secret. */
export function isSecret(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(separators, ""))
}

/** Properties with an address whose path and query may be secret, such as those of webhooks. */
const addressName = /(?:ur[il]|endpoint|webhook|callback|hook)$/i
/** Properties with a target that is not a URL. */
const hostName = /^(?:host|host-?name|server|domain|port)$/i

/** `scheme://`, user and password, host and port, path, query and fragment. */
const urlForm =
  /^([a-z][a-z0-9+.:-]*:[\\/]{2})(?:([^\s/\\?#]*)@)?([^\s/\\?#]*)([^\s?#]*)(\?[^\s#]*)?(#\S*)?$/i

/** Whether a value has the form of a URL of any scheme. */
export function isUrl(value: string): boolean {
  return urlForm.test(value)
}

/**
 * The form of a value shown to users with write access: the value itself if no part is secret. Of
 * an address the scheme, the host and plain words of the path remain.
 */
export function shownValue(name: string, value: string): string {
  // An empty text is no secret, and a mask would suggest one.
  if (value === "") return value
  if (isSecret(name)) return hiddenSecret
  const parts = urlForm.exec(value)
  if (parts === null) return value
  const [, scheme, user, host, path = "", query = "", fragment = ""] = parts
  const userShown = user === undefined ? "" : `${hiddenSecret}@`
  const rest = addressName.test(name) ? shownPath(path, query, fragment) : path + query + fragment
  return `${scheme}${userShown}${host}${rest}`
}

function shownPath(path: string, query: string, fragment: string): string {
  const segments = path.split("/").map((one) => (isTokenLike(one) ? hiddenSecret : one))
  const values = query.replace(/=[^&]*/g, `=${hiddenSecret}`)
  const queryShown = query !== "" && !query.includes("=") ? `?${hiddenSecret}` : values
  return segments.join("/") + queryShown + (fragment === "" ? "" : `#${hiddenSecret}`)
}

/** Ids of incoming webhooks: from 7 characters with digits (Zapier) to 36 (UUIDs) and more. */
function isTokenLike(segment: string): boolean {
  return segment.length >= 16 || (segment.length >= 6 && /\d/.test(segment))
}

/** The form shown to users with read access only: addresses are masked completely. */
export function readerValue(name: string, value: string): string {
  const isAddress = value !== "" && (addressName.test(name) || value !== shownValue(name, value))
  return isAddress ? hiddenSecret : value
}

/**
 * The target that a property refers to, for comparison; null if it has none. `value` may be the
 * shown form, which has the same origin.
 */
export function originOf(name: string, value: string): string | null {
  if (hostName.test(name)) return value.trim().toLowerCase()
  if (!addressName.test(name)) return null
  if (!URL.canParse(value)) return value.trim()
  const { protocol, host, origin } = new URL(value)
  return origin === "null" ? `${protocol}//${host}` : origin
}
