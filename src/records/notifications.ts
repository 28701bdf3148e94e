/** Notifications: whom to tell of an event, and how (field-facts §10). */

import type {
  NewNotificationFields,
  NotificationFields,
  NotificationType,
} from "../wire/records/notification-body.ts"
import type { Properties } from "../wire/records/fields.ts"
import { Problems, shown } from "../wire/problems.ts"
import { Collection, type RecordsWorld, type Stored } from "./collection.ts"
import { mergeProperties, noProperties, type GuardedProperties } from "./guarded-properties.ts"
import type { SecretBox } from "./secret-box.ts"

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
  pagerduty: ["serviceKey"],
}

const payloadTypes = ["default", "custom"]

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
    const former = { type: fields.type, stored: noProperties }
    return this.collection.create(tenant, {
      type: fields.type,
      enabled: fields.enabled ?? true,
      properties: this.merged(tenant, former, fields),
    })
  }

  /** Changes what was sent; properties are merged. */
  change(tenant: number, id: string, fields: NotificationFields): Promise<Stored<Notification>> {
    return this.collection.change(tenant, id, ({ body }) => {
      const type = fields.type ?? body.type
      return {
        type,
        enabled: fields.enabled ?? body.enabled,
        properties: this.merged(tenant, { type, stored: body.properties }, fields),
      }
    })
  }

  async remove(tenant: number, id: string): Promise<void> {
    await this.collection.remove(tenant, id)
  }

  private merged(
    tenant: number,
    former: { type: NotificationType; stored: GuardedProperties },
    sent: { properties?: Properties | null | undefined },
  ): GuardedProperties {
    const guard = {
      box: this.box,
      place: `notification:${tenant}`,
      field: "notification.properties",
    }
    const properties = mergeProperties(former.stored, sent.properties ?? {}, guard)
    check(former.type, properties)
    return properties
  }
}

function check(type: NotificationType, { clear, sealed }: GuardedProperties): void {
  const problems = new Problems()
  for (const name of ["name", ...(neededByType[type] ?? [])]) {
    if ((clear[name] ?? sealed[name] ?? "").trim() !== "") continue
    problems.add(`notification.properties.${name}: expected a text for the type ${type}`)
  }
  const { payloadType, url } = clear
  if (payloadType !== undefined && !payloadTypes.includes(payloadType)) {
    const accepted = payloadTypes.join(", ")
    problems.add(
      `notification.properties.payloadType: expected one of ${accepted}, got ${shown(payloadType)}`,
    )
  }
  if (url !== undefined && url.trim() !== "" && !isWebAddress(url)) {
    problems.add(`notification.properties.url: expected an http or https URL, got ${shown(url)}`)
  }
  problems.throwIfAny()
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
