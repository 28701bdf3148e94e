/** Notifications: whom to tell of an event, and how (spec/policies §7). */

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
import { encryptCollection } from "../secrets/guarded-collection.ts"
import {
  lostSecrets,
  mergeProperties,
  noProperties,
  decryptProperties,
  type SecretScope,
  type ProtectedProperties,
} from "../secrets/secret-fields.ts"
import type { SecretBox } from "../secrets/secret-box.ts"
import { hiddenSecret } from "../secrets/secret-values.ts"

/** Of one tenant; a list answers all of them. */
const notificationsMax = 5_000

export interface Notification {
  readonly type: NotificationType
  readonly enabled: boolean
  readonly properties: ProtectedProperties
}

/** Without these a notification of the type could reach nobody. */
const requiredByType: Readonly<Partial<Record<NotificationType, readonly string[]>>> = {
  email: ["address"],
  webhook: ["url"],
  slack: ["url"],
  teams: ["url"],
  pagerduty: ["serviceKey"],
}

const payloadTypes = ["default", "custom"]
/** Read where they are saved, so that a mistake is not found by the first event. */
const templates = ["subjectTemplate", "bodyTemplate", "postContentTemplate"]

/** A notification with its secrets in clear: for senders only. */
export interface DecryptedNotification {
  readonly type: NotificationType
  readonly properties: Readonly<Record<string, string>>
}

export class Notifications {
  private readonly collection: RecordCollection<Notification>
  private readonly box: SecretBox

  constructor({ world, box }: { world: RecordsDeps; box: SecretBox }) {
    this.box = box
    this.collection = new RecordCollection(
      {
        kind: "notification",
        noun: "notification",
        ids: "number",
        countMax: notificationsMax,
      },
      world,
    )
  }

  /** By id. */
  list(tenant: number): Promise<StoredRecord<Notification>[]> {
    return this.collection.list(tenant)
  }

  /** Throws `missing` where there is none. */
  get(tenant: number, id: string): Promise<StoredRecord<Notification>> {
    return this.collection.get(tenant, id)
  }

  async create(tenant: number, fields: NewNotificationFields): Promise<StoredRecord<Notification>> {
    return this.collection.create(tenant, {
      type: fields.type,
      enabled: fields.enabled ?? true,
      properties: this.merged(tenant, newOf(fields), fields),
    })
  }

  /**
   * Changes what was sent; properties are merged. Throws `invalid` if stored secrets would go to
   * another address, or into another type of request, than those that they were entered for.
   */
  change(
    tenant: number,
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

  async remove(tenant: number, id: string): Promise<void> {
    await this.collection.remove(tenant, id)
  }

  /** Whom to tell; undefined where the notification is gone or disabled. */
  async recipient(tenant: number, id: number): Promise<DecryptedNotification | undefined> {
    const stored = await this.collection.find(tenant, String(id))
    return stored?.body.enabled === true ? this.decrypted(tenant, stored) : undefined
  }

  /** With its secrets, enabled or not; throws `missing` where there is none. */
  async getDecrypted(tenant: number, id: string): Promise<DecryptedNotification> {
    return this.decrypted(tenant, await this.collection.get(tenant, id))
  }

  /** One that is not stored, judged as if it were to be; throws `invalid`. */
  draft(tenant: number, fields: NewNotificationFields): DecryptedNotification {
    const properties = this.merged(tenant, newOf(fields), fields)
    return { type: fields.type, properties: decryptProperties(properties, this.scopeOf(tenant)) }
  }

  /** Names of the secrets that must be entered again, as they cannot be opened. */
  lostSecrets(tenant: number, { body }: StoredRecord<Notification>): string[] {
    return lostSecrets(body.properties, this.scopeOf(tenant))
  }

  /** Seals secrets of before that lie in clear. */
  encryptStored(tenant: number): Promise<void> {
    return encryptCollection(this.collection, tenant, this.scopeOf(tenant))
  }

  /** Switches one off, whatever became of it. */
  async disable(tenant: number, id: number): Promise<void> {
    if ((await this.collection.find(tenant, String(id))) === undefined) return
    await this.collection.change(tenant, String(id), ({ body }) => ({ ...body, enabled: false }))
  }

  private decrypted(tenant: number, { body }: StoredRecord<Notification>): DecryptedNotification {
    return { type: body.type, properties: decryptProperties(body.properties, this.scopeOf(tenant)) }
  }

  private scopeOf(tenant: number): SecretScope {
    return { box: this.box, owner: ownerOf(tenant), field: "notification.properties" }
  }

  private merged(
    tenant: number,
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

/** What a notification was before, and its type now. */
interface PreviousNotification {
  readonly type: NotificationType
  readonly from: NotificationType
  readonly properties: ProtectedProperties
}

function newOf({ type }: NewNotificationFields): PreviousNotification {
  return { type, from: type, properties: noProperties }
}

function ownerOf(tenant: number): string {
  return `notification:${tenant}`
}

/** `sent` are the properties of the request, since those that are sealed cannot be read here. */
function validate(
  type: NotificationType,
  { clear, sealed }: ProtectedProperties,
  sent: Properties,
) {
  const problems = new Problems()
  for (const name of ["name", ...(requiredByType[type] ?? [])]) {
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
