/**
 * Properties some of which are secrets: those are kept encrypted and shown as "******". Whoever
 * sends the asterisks back leaves the secret as it is.
 */

import { invalid } from "../base/errors.ts"
import type { Properties } from "../wire/records/fields.ts"
import type { SecretBox } from "./secret-box.ts"

export const hiddenSecret = "******"

/** Properties as they are kept. */
export interface GuardedProperties {
  readonly clear: Readonly<Record<string, string>>
  /** Encrypted, by name. */
  readonly sealed: Readonly<Record<string, string>>
}

export const noProperties: GuardedProperties = { clear: {}, sealed: {} }

/**
 * Names of secrets. Properties cannot be validated (field-facts §9), so the name has to tell;
 * hiding one too many costs nothing, since it is still kept.
 */
const secretName =
  /secret|passw|passphrase|token|credential|^key$|(private|service|api|access|account|shared)_?key$/i

/** Whether a property is a secret, by its name. */
export function isSecret(name: string): boolean {
  return secretName.test(name)
}

export interface Guard {
  readonly box: SecretBox
  /** What and whose the properties are, e.g. "datasource:0". */
  readonly place: string
  /** Where they stand in a body, for messages. */
  readonly field: string
}

/** The stored properties with those that were sent; null takes one away. */
export function mergeProperties(
  stored: GuardedProperties,
  sent: Properties,
  { box, place, field }: Guard,
): GuardedProperties {
  const clear = new Map(Object.entries(stored.clear))
  const sealed = new Map(Object.entries(stored.sealed))
  for (const [name, value] of Object.entries(sent)) {
    if (value === hiddenSecret && isSecret(name)) {
      if (sealed.has(name)) continue
      throw invalid(`${field}.${name}: expected the secret itself, got "${hiddenSecret}"`)
    }
    clear.delete(name)
    sealed.delete(name)
    if (value === null) continue
    // An empty text is no secret, and hiding it would say that there is one.
    if (isSecret(name) && value !== "") sealed.set(name, box.seal(value, placeOf(place, name)))
    else clear.set(name, value)
  }
  return { clear: Object.fromEntries(clear), sealed: Object.fromEntries(sealed) }
}

/** As the API shows them. */
export function shownProperties({ clear, sealed }: GuardedProperties): Record<string, string> {
  const hidden = Object.keys(sealed).map((name) => [name, hiddenSecret])
  return { ...clear, ...Object.fromEntries(hidden) }
}

/** With the secrets in clear, for those who are to use them. */
export function openProperties(
  { clear, sealed }: GuardedProperties,
  { box, place }: Pick<Guard, "box" | "place">,
): Record<string, string> {
  const opened = Object.entries(sealed).map(([name, text]) => [
    name,
    box.open(text, placeOf(place, name)),
  ])
  return { ...clear, ...Object.fromEntries(opened) }
}

function placeOf(place: string, name: string): string {
  return `${place}/${name}`
}
