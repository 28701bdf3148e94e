/** The repository of notifications: how to reach recipients of events (spec/policies §7). */

import type {
  NewNotificationFields,
  NotificationFields,
  NotificationType,
} from "../../wire/records/notification-body.ts"
import type { Properties } from "../../wire/records/fields.ts"
import { TemplateError } from "../../template/template-cursor.ts"
import { parseTemplate } from "../../template/parse.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { RecordCollection, type RecordsDeps, type StoredRecord } from "../core/record-collection.ts"
import {
  encryptCollection,
  lostSecrets,
  mergeProperties,
  noProperties,
  decryptProperties,
  type SecretScope,
  type ProtectedProperties,
} from "../secrets/secret-fields.ts"
import type { SecretBox } from "../secrets/secret-box.ts"
import { hiddenSecret } from "../secrets/secret-values.ts"
import { requiredProperties } from "./notification-properties.ts"
import type { TenantIndex } from "../../model/ids.ts"

/** Limit per tenant; a list returns all of them. */
const notificationsMax = 5_000

export interface Notification {
  readonly type: NotificationType
  readonly enabled: boolean
  readonly properties: ProtectedProperties
}

/** Their services keep an alert open until they get its end. */
const alertTypes: readonly NotificationType[] = ["pagerduty", "opsgenie"]

const payloadTypes = ["default", "custom"]
/** Parsed when they are saved, so that a mistake is reported before the first event. */
const templates = ["subjectTemplate", "bodyTemplate", "postContentTemplate"]

/** A notification with its secrets in plaintext: for senders only. */
export interface DecryptedNotification {
  readonly type: NotificationType
  readonly properties: Readonly<Record<string, string>>
}

export class Notifications {
  private readonly collection: RecordCollection<Notification>
  private readonly box: SecretBox

  constructor({ deps, box }: { deps: RecordsDeps; box: SecretBox }) {
    this.box = box
    this.collection = new RecordCollection(
      {
        kind: "notification",
        noun: "notification",
        ids: "number",
        countMax: notificationsMax,
      },
      deps,
    )
  }

  /** All notifications of a tenant, by id. */
  list(tenant: TenantIndex): Promise<StoredRecord<Notification>[]> {
    return this.collection.list(tenant)
  }

  /** Throws `missing` if there is none. */
  get(tenant: TenantIndex, id: string): Promise<StoredRecord<Notification>> {
    return this.collection.get(tenant, id)
  }

  async create(
    tenant: TenantIndex,
    fields: NewNotificationFields,
  ): Promise<StoredRecord<Notification>> {
    return this.collection.create(tenant, {
      type: fields.type,
      enabled: fields.enabled ?? true,
      properties: this.merged(tenant, newOf(fields), fields),
    })
  }

  /**
   * Changes the given fields; properties are merged. Throws `invalid` if stored secrets would be
   * sent to another address, or by another type of request, than they were entered for.
   */
  change(
    tenant: TenantIndex,
    id: string,
    fields: NotificationFields,
  ): Promise<StoredRecord<Notification>> {
    return this.collection.change(tenant, id, ({ body }) => {
      const type = fields.type ?? body.type
      return {
        type,
        enabled: fields.enabled ?? body.enabled,
        properties: this.merged(tenant, { ...body, type, from: body.type }, fields),
      }
    })
  }

  async remove(tenant: TenantIndex, id: string): Promise<void> {
    await this.collection.remove(tenant, id)
  }

  /** The ids of those notifications whose service keeps an alert open until it gets the end. */
  async alertKeepers(tenant: TenantIndex, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const found = await Promise.all(ids.map((id) => this.collection.find(tenant, String(id))))
    const keepers = found.filter((one) => one !== undefined && alertTypes.includes(one.body.type))
    return new Set(keepers.map((one) => Number(one!.id)))
  }

  /** The recipient of a notification; undefined if it was removed or is disabled. */
  async recipient(tenant: TenantIndex, id: number): Promise<DecryptedNotification | undefined> {
    const stored = await this.collection.find(tenant, String(id))
    return stored?.body.enabled === true ? this.decrypted(tenant, stored) : undefined
  }

  /** The notification with its secrets, enabled or not; throws `missing` if there is none. */
  async getDecrypted(tenant: TenantIndex, id: string): Promise<DecryptedNotification> {
    return this.decrypted(tenant, await this.collection.get(tenant, id))
  }

  /** Validates a notification as `create` does, without storing it; throws `invalid`. */
  draft(tenant: TenantIndex, fields: NewNotificationFields): DecryptedNotification {
    const properties = this.merged(tenant, newOf(fields), fields)
    return { type: fields.type, properties: decryptProperties(properties, this.scopeOf(tenant)) }
  }

  /** Names of the secrets that cannot be decrypted and must be entered again. */
  lostSecrets(tenant: TenantIndex, { body }: StoredRecord<Notification>): string[] {
    return lostSecrets(body.properties, this.scopeOf(tenant))
  }

  /** Encrypts secrets that earlier versions stored in plaintext. */
  encryptStored(tenant: TenantIndex): Promise<void> {
    return encryptCollection(this.collection, tenant, this.scopeOf(tenant))
  }

  /** Disables a notification; does nothing if it was removed. */
  async disable(tenant: TenantIndex, id: number): Promise<void> {
    if ((await this.collection.find(tenant, String(id))) === undefined) return
    await this.collection.change(tenant, String(id), ({ body }) => ({ ...body, enabled: false }))
  }

  private decrypted(
    tenant: TenantIndex,
    { body }: StoredRecord<Notification>,
  ): DecryptedNotification {
    return { type: body.type, properties: decryptProperties(body.properties, this.scopeOf(tenant)) }
  }

  private scopeOf(tenant: TenantIndex): SecretScope {
    return { box: this.box, owner: ownerOf(tenant), field: "notification.properties" }
  }

  private merged(
    tenant: TenantIndex,
    { type, from, properties }: PreviousNotification,
    sent: { properties?: Properties | null | undefined },
  ): ProtectedProperties {
    const guard = this.scopeOf(tenant)
    const movedBy = type === from ? null : `the type changes from ${from} to ${type}`
    const merged = mergeProperties(properties, sent.properties ?? {}, guard, movedBy)
    validate(type, merged, sent.properties ?? {})
    return merged
  }
}

/** The previous state of a notification, and its new type. */
interface PreviousNotification {
  readonly type: NotificationType
  readonly from: NotificationType
  readonly properties: ProtectedProperties
}

function newOf({ type }: NewNotificationFields): PreviousNotification {
  return { type, from: type, properties: noProperties }
}

function ownerOf(tenant: TenantIndex): string {
  return `notification:${tenant}`
}

/** Throws `invalid`. `sent` has the request's properties, since stored secrets are encrypted. */
function validate(
  type: NotificationType,
  { clear, sealed }: ProtectedProperties,
  sent: Properties,
) {
  const problems = new Problems()
  for (const name of requiredProperties(type)) {
    if ((clear[name] ?? sealed[name] ?? "").trim() !== "") continue
    problems.add(`notification.properties.${name}: expected a text for the type ${type}`)
  }
  const { payloadType } = clear
  if (payloadType !== undefined && !payloadTypes.includes(payloadType)) {
    const accepted = payloadTypes.join(", ")
    problems.add(
      `notification.properties.payloadType: expected one of ${accepted}, got ${shown(payloadType)}`,
    )
  }
  const url = sent["url"] ?? clear["url"] ?? ""
  if (url.trim() !== "" && url !== hiddenSecret && !isWebAddress(url)) {
    problems.add(`notification.properties.url: expected an http or https URL, got ${shown(url)}`)
  }
  for (const name of templates) checkTemplate(name, sent[name] ?? clear[name], problems)
  problems.throwIfAny()
}

function checkTemplate(name: string, text: string | undefined, problems: Problems): void {
  try {
    parseTemplate(text ?? "")
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    problems.add(`notification.properties.${name}: ${error.message}`)
  }
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
