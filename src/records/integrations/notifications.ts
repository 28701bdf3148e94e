/** Notifications: whom to tell of an event, and how (spec/policies §7). */

import type {
  NewNotificationFields,
  NotificationFields,
  NotificationType,
} from "../../wire/records/notification-body.ts"
import type { Properties } from "../../wire/records/fields.ts"
import { TemplateError } from "../../template/cursor.ts"
import { parseTemplate } from "../../template/parse.ts"
import { Problems, shown } from "../../wire/problems.ts"
import { Collection, type RecordsWorld, type Stored } from "../core/record-collection.ts"
import { sealCollection } from "../secrets/guarded-collection.ts"
import {
  lostSecrets,
  mergeProperties,
  noProperties,
  openProperties,
  type Guard,
  type GuardedProperties,
} from "../secrets/secret-fields.ts"
import type { SecretBox } from "../secrets/secret-box.ts"
import { hiddenSecret } from "../secrets/secret-values.ts"

/** Of one tenant; a list answers all of them. */
const notificationsMax = 5_000

export interface Notification {
  readonly type: NotificationType
  readonly enabled: boolean
  readonly properties: GuardedProperties
}

/** Without these a notification of the type could reach nobody. */
const neededByType: Readonly<Partial<Record<NotificationType, readonly string[]>>> = {
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
export interface OpenNotification {
  readonly type: NotificationType
  readonly properties: Readonly<Record<string, string>>
}

export class Notifications {
  private readonly collection: Collection<Notification>
  private readonly box: SecretBox

  constructor({ world, box }: { world: RecordsWorld; box: SecretBox }) {
    this.box = box
    this.collection = new Collection(
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
  list(tenant: number): Promise<Stored<Notification>[]> {
    return this.collection.list(tenant)
  }

  /** Throws `missing` where there is none. */
  get(tenant: number, id: string): Promise<Stored<Notification>> {
    return this.collection.get(tenant, id)
  }

  async create(tenant: number, fields: NewNotificationFields): Promise<Stored<Notification>> {
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
  change(tenant: number, id: string, fields: NotificationFields): Promise<Stored<Notification>> {
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
  async recipient(tenant: number, id: number): Promise<OpenNotification | undefined> {
    const stored = await this.collection.find(tenant, String(id))
    return stored?.body.enabled === true ? this.opened(tenant, stored) : undefined
  }

  /** With its secrets, enabled or not; throws `missing` where there is none. */
  async open(tenant: number, id: string): Promise<OpenNotification> {
    return this.opened(tenant, await this.collection.get(tenant, id))
  }

  /** One that is not stored, judged as if it were to be; throws `invalid`. */
  draft(tenant: number, fields: NewNotificationFields): OpenNotification {
    const properties = this.merged(tenant, newOf(fields), fields)
    return { type: fields.type, properties: openProperties(properties, this.guardOf(tenant)) }
  }

  /** Names of the secrets that must be entered again, as they cannot be opened. */
  lostSecrets(tenant: number, { body }: Stored<Notification>): string[] {
    return lostSecrets(body.properties, this.guardOf(tenant))
  }

  /** Seals secrets of before that lie in clear. */
  sealOld(tenant: number): Promise<void> {
    return sealCollection(this.collection, tenant, this.guardOf(tenant))
  }

  /** Switches one off, whatever became of it. */
  async disable(tenant: number, id: number): Promise<void> {
    if ((await this.collection.find(tenant, String(id))) === undefined) return
    await this.collection.change(tenant, String(id), ({ body }) => ({ ...body, enabled: false }))
  }

  private opened(tenant: number, { body }: Stored<Notification>): OpenNotification {
    return { type: body.type, properties: openProperties(body.properties, this.guardOf(tenant)) }
  }

  private guardOf(tenant: number): Guard {
    return { box: this.box, place: placeOf(tenant), field: "notification.properties" }
  }

  private merged(
    tenant: number,
    { type, from, properties }: Former,
    sent: { properties?: Properties | null | undefined },
  ): GuardedProperties {
    const guard = this.guardOf(tenant)
    const movedBy = type === from ? null : `the type changes from ${from} to ${type}`
    const merged = mergeProperties(properties, sent.properties ?? {}, guard, movedBy)
    check(type, merged, sent.properties ?? {})
    return merged
  }
}

/** What a notification was before, and its type now. */
interface Former {
  readonly type: NotificationType
  readonly from: NotificationType
  readonly properties: GuardedProperties
}

function newOf({ type }: NewNotificationFields): Former {
  return { type, from: type, properties: noProperties }
}

function placeOf(tenant: number): string {
  return `notification:${tenant}`
}

/** `sent` are the properties of the request, since those that are sealed cannot be read here. */
function check(type: NotificationType, { clear, sealed }: GuardedProperties, sent: Properties) {
  const problems = new Problems()
  for (const name of ["name", ...(neededByType[type] ?? [])]) {
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
