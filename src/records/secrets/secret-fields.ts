/**
 * Properties some of which are secrets: those are kept encrypted, and shown as "******" or, if they
 * are addresses, with asterisks for what is secret of them. What was shown, sent back, leaves the
 * secret as it is.
 */

import { invalid, ServiceError } from "../../base/errors.ts"
import { shown as shownText } from "../../wire/problems.ts"
import type { Properties } from "../../wire/records/fields.ts"
import type { SecretBox } from "./secret-box.ts"
import {
  hiddenSecret,
  isSecret,
  isUrl,
  originOf,
  readerValue,
  shownValue,
} from "./secret-values.ts"

/** Properties as they are kept. */
export interface ProtectedProperties {
  readonly clear: Readonly<Record<string, string>>
  /** Encrypted, by name. */
  readonly sealed: Readonly<Record<string, string>>
  /** What is shown of a sealed one, by name, if that is more than asterisks. */
  readonly shown?: Readonly<Record<string, string>>
}

export const noProperties: ProtectedProperties = { clear: {}, sealed: {} }

export interface SecretScope {
  readonly box: SecretBox
  /** What and whose the properties are, e.g. "datasource:0". */
  readonly owner: string
  /** Where they stand in a body, for messages. */
  readonly field: string
}

/** Whether something lies in clear that counts as a secret now. */
export function hasPlaintextSecrets({ clear }: ProtectedProperties): boolean {
  return Object.entries(clear).some(([name, value]) => shownValue(name, value) !== value)
}

/** Properties while they change. */
class PropertiesBuilder {
  private readonly clear: Map<string, string>
  private readonly sealed: Map<string, string>
  private readonly shown: Map<string, string>
  private readonly scope: SecretScope

  constructor(stored: ProtectedProperties, guard: SecretScope) {
    this.scope = guard
    this.clear = new Map(Object.entries(stored.clear))
    this.sealed = new Map(Object.entries(stored.sealed))
    this.shown = new Map(Object.entries(stored.shown ?? {}))
    // Of a record that was written when fewer values counted as secrets.
    for (const [name, value] of this.clear) {
      if (shownValue(name, value) !== value) this.put(name, value)
    }
  }

  /** Whether a value is what was shown of the secret that is kept under this name. */
  isShown(name: string, value: string | null): boolean {
    if (!this.sealed.has(name)) return false
    return value === hiddenSecret || value === this.shown.get(name)
  }

  put(name: string, value: string | null): void {
    for (const values of [this.clear, this.sealed, this.shown]) values.delete(name)
    if (value === null) return
    const { box, owner } = this.scope
    const shown = shownValue(name, value)
    if (shown === value) return void this.clear.set(name, value)
    this.sealed.set(name, box.encrypt(value, ownerOf(owner, name)))
    if (shown !== hiddenSecret) this.shown.set(name, shown)
  }

  build(): ProtectedProperties {
    const [clear, sealed] = [Object.fromEntries(this.clear), Object.fromEntries(this.sealed)]
    if (this.shown.size === 0) return { clear, sealed }
    return { clear, sealed, shown: Object.fromEntries(this.shown) }
  }
}

/**
 * The stored properties with those that were sent; null takes one away. `movedBy` says in words
 * what else of the record changes where secrets go, such as its type; null if nothing does. Throws
 * `invalid` for a shown form of which no secret is kept, and if secrets would go elsewhere than
 * before without being sent again.
 */
export function mergeProperties(
  stored: ProtectedProperties,
  sent: Properties,
  scope: SecretScope,
  movedBy: string | null = null,
): ProtectedProperties {
  const { field } = scope
  const changing = new PropertiesBuilder(stored, scope)
  const former = changing.build()
  const kept = new Set(Object.keys(former.sealed))
  for (const [name, value] of Object.entries(sent)) {
    if (changing.isShown(name, value)) continue
    if (value !== null && isMasked(name, value)) {
      throw invalid(`${field}.${name}: expected the secret itself, got ${shownText(value)}`)
    }
    changing.put(name, value)
    kept.delete(name)
  }
  const merged = changing.build()
  const reason = movedBy ?? movedTarget(former, merged)
  if (reason !== null && kept.size > 0) {
    throw invalid(
      [...kept].map(
        (name) => `${field}.${name}: expected the secret itself and not what was stored: ${reason}`,
      ),
    )
  }
  return merged
}

/** Whether a value was made by hiding one; elsewhere asterisks are a text like any other. */
function isMasked(name: string, value: string): boolean {
  if (isSecret(name)) return value === hiddenSecret
  return value.includes(hiddenSecret) && (originOf(name, value) !== null || isUrl(value))
}

/** Which property leads to another origin than before, in words; null if none does. */
function movedTarget(former: ProtectedProperties, merged: ProtectedProperties): string | null {
  const [before, now] = [targetsOf(former), targetsOf(merged)]
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [from, to] = [before.get(name), now.get(name)]
    if (from === to) continue
    return `${name} leads to ${shownText(to ?? "the default")} and no longer to ${shownText(
      from ?? "the default",
    )}`
  }
  return null
}

/** Origins by name; an empty value leads nowhere. */
function targetsOf({ clear, shown = {} }: ProtectedProperties): Map<string, string> {
  const targets = new Map<string, string>()
  for (const [name, value] of Object.entries({ ...clear, ...shown })) {
    const origin = originOf(name, value)
    if (origin !== null && value.trim() !== "") targets.set(name, origin)
  }
  return targets
}

/** As the API shows them to those who may change them, or only read. */
export function visibleProperties(
  { clear, sealed, shown = {} }: ProtectedProperties,
  viewer: "writer" | "reader" = "writer",
): Record<string, string> {
  const view = viewer === "writer" ? shownValue : readerValue
  const visible = Object.entries(clear).map(([name, value]) => [name, view(name, value)])
  const hidden = Object.keys(sealed).map((name) => [
    name,
    viewer === "writer" ? (shown[name] ?? hiddenSecret) : hiddenSecret,
  ])
  return Object.fromEntries([...visible, ...hidden]) as Record<string, string>
}

/** With the secrets in clear, for those who use them. Throws `invalid` if one does not open. */
export function decryptProperties(
  properties: ProtectedProperties,
  guard: SecretScope,
): Record<string, string> {
  const { box, owner, field } = guard
  const lost = lostSecrets(properties, guard)
  if (lost.length > 0) {
    const reason = "what is stored was sealed under another secrets.key"
    throw invalid(
      lost.map((name) => `${field}.${name}: expected it to be entered again: ${reason}`),
    )
  }
  const opened = Object.entries(properties.sealed).map(([name, text]) => [
    name,
    box.decrypt(text, ownerOf(owner, name)),
  ])
  return { ...properties.clear, ...Object.fromEntries(opened) }
}

/** Names of the secrets that do not open, as they were sealed under another key; 10 µs each. */
export function lostSecrets(
  { sealed }: ProtectedProperties,
  { box, owner }: Pick<SecretScope, "box" | "owner">,
): string[] {
  const isLost = ([name, text]: [string, string]): boolean => {
    try {
      box.decrypt(text, ownerOf(owner, name))
      return false
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return true
    }
  }
  return Object.entries(sealed)
    .filter(isLost)
    .map(([name]) => name)
}

function ownerOf(place: string, name: string): string {
  return `${place}/${name}`
}
