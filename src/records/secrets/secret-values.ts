/**
 * Secret values: which properties of a datasource or notification are secrets, in whole or in part,
 * and what the API shows of them. Properties cannot be validated (spec/records §3), so that names
 * and the form of values have to tell; hiding one too many costs little, since it is still kept.
 */

export const hiddenSecret = "******"

/** Matched with names in lower case, without what separates their words. */
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

/** Whether a property is a secret as a whole, by its name. */
export function isSecret(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(separators, ""))
}

/** Properties that hold an address whose path and query may be secrets, as those of webhooks. */
const addressName = /(?:ur[il]|endpoint|webhook|callback|hook)$/i
/** Properties that say, without being a URL, where something is. */
const hostName = /^(?:host|host-?name|server|domain|port)$/i

/** `scheme://`, user and password, host and port, path, query and fragment. */
const urlForm =
  /^([a-z][a-z0-9+.:-]*:[\\/]{2})(?:([^\s/\\?#]*)@)?([^\s/\\?#]*)([^\s?#]*)(\?[^\s#]*)?(#\S*)?$/i

/** Whether a value has the form of a URL of any scheme. */
export function isUrl(value: string): boolean {
  return urlForm.test(value)
}

/**
 * What those who may write are shown of a value: the value itself if nothing of it is a secret. Of
 * an address the scheme, host and plain words of the path remain.
 */
export function shownValue(name: string, value: string): string {
  // An empty text is no secret, and hiding it would say that there is one.
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

/** What those are shown who may only read: no address at all, even if nothing of it is a secret. */
export function readerValue(name: string, value: string): string {
  const isAddress = value !== "" && (addressName.test(name) || value !== shownValue(name, value))
  return isAddress ? hiddenSecret : value
}

/**
 * Where a property leads, to compare; null if it leads nowhere. `value` may be the shown form,
 * which has the same origin.
 */
export function originOf(name: string, value: string): string | null {
  if (hostName.test(name)) return value.trim().toLowerCase()
  if (!addressName.test(name)) return null
  if (!URL.canParse(value)) return value.trim()
  const { protocol, host, origin } = new URL(value)
  return origin === "null" ? `${protocol}//${host}` : origin
}
