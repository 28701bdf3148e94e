/**
 * Properties with secrets among them. Secrets are stored encrypted and shown as "******" or, if
 * they are addresses, with their secret parts masked. Sending the shown value back keeps the
 * secret.
 */

import { invalid, ServiceError } from "../../base/errors.ts"
import type { RecordCollection } from "../core/record-collection.ts"
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
import type { TenantIndex } from "../../model/ids.ts"

/** Properties as they are stored. */
export interface ProtectedProperties {
  readonly clear: Readonly<Record<string, string>>
  /** Encrypted, by name. */
  readonly sealed: Readonly<Record<string, string>>
  /** The shown form of encrypted ones, by name, if it is more than asterisks. */
  readonly shown?: Readonly<Record<string, string>>
}

export const noProperties: ProtectedProperties = { clear: {}, sealed: {} }

export interface SecretScope {
  readonly box: SecretBox
  /** Kind and tenant of the properties, e.g. "datasource:0". */
  readonly owner: string
  /** Their path in a body, for messages. */
  readonly field: string
}

/** Whether a property stored in plaintext counts as a secret now. */
function hasPlaintextSecrets({ clear }: ProtectedProperties): boolean {
  return Object.entries(clear).some(([name, value]) => shownValue(name, value) !== value)
}

/** Builds the properties of a change. */
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
    // The record may have been written when fewer values counted as secrets.
    for (const [name, value] of this.clear) {
      if (shownValue(name, value) !== value) this.put(name, value)
    }
  }

  /** Whether a value is the shown form of the secret stored under this name. */
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
 * Merges the properties of a request into the stored ones; null removes one. `movedBy` describes
 * another change of the record that redirects secrets, such as its type; null if there is none.
 * Throws `invalid` for a shown form without a stored secret, and if stored secrets would be sent to
 * another target without being entered again.
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

/** Whether a value is the masked form of a secret; in other properties asterisks are plain text. */
function isMasked(name: string, value: string): boolean {
  if (isSecret(name)) return value === hiddenSecret
  return value.includes(hiddenSecret) && (originOf(name, value) !== null || isUrl(value))
}

/** Describes a property whose origin changes; null if none does. */
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

/** Origins by name; an empty value has none. */
function targetsOf({ clear, shown = {} }: ProtectedProperties): Map<string, string> {
  const targets = new Map<string, string>()
  for (const [name, value] of Object.entries({ ...clear, ...shown })) {
    const origin = originOf(name, value)
    if (origin !== null && value.trim() !== "") targets.set(name, origin)
  }
  return targets
}

/** The properties as the API shows them to users who may change them, or only read them. */
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

/** The properties with secrets in plaintext. Throws `invalid` if one cannot be decrypted. */
export function decryptProperties(
  properties: ProtectedProperties,
  guard: SecretScope,
): Record<string, string> {
  const { box, owner, field } = guard
  const lost = lostSecrets(properties, guard)
  if (lost.length > 0) {
    const reason = "the stored value is encrypted with another secrets.key"
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

/** Names of the secrets encrypted under another key; checking takes 10 µs each. */
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

function ownerOf(owner: string, name: string): string {
  return `${owner}/${name}`
}

/**
 * Encrypts the properties of a tenant's records that are stored in plaintext and count as secrets
 * now. A record that would exceed its size limit stays unchanged; the API masks its secrets anyway.
 */
export async function encryptCollection<Body extends { readonly properties: ProtectedProperties }>(
  collection: RecordCollection<Body>,
  tenant: TenantIndex,
  scope: SecretScope,
): Promise<void> {
  for (const { id, body } of await collection.list(tenant)) {
    if (!hasPlaintextSecrets(body.properties)) continue
    const properties = mergeProperties(body.properties, {}, scope)
    await collection.change(tenant, id, () => ({ ...body, properties })).catch(passIfTooLarge)
  }
}

function passIfTooLarge(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== "invalid") throw error
}
