/** Bodies of notifications (spec/policies §7). */

import * as v from "valibot"
import { booleanValue, objectValue } from "../body.ts"
import { nonEmptyText, propertiesValue } from "./fields.ts"

export const notificationTypes = [
  "email",
  "webhook",
  "slack",
  "pagerduty",
  "opsgenie",
  "teams",
  "sns",
  "hipchat",
] as const
export type NotificationType = (typeof notificationTypes)[number]

const typeText = v.pipe(
  nonEmptyText,
  v.toLowerCase(),
  v.picklist(notificationTypes, `one of ${notificationTypes.join(", ")}`),
)

const fields = {
  enabled: v.nullish(booleanValue),
  type: v.nullish(typeText),
  properties: v.nullish(propertiesValue),
}

/** Fields of the record, which clients send back. */
const alsoSent = ["id", "tenantId"]

export const newNotificationBody = objectValue({
  notification: objectValue({ ...fields, type: typeText, properties: propertiesValue }, alsoSent),
})

export const changedNotificationBody = objectValue({ notification: objectValue(fields, alsoSent) })

export type NotificationFields = v.InferOutput<typeof changedNotificationBody>["notification"]
export type NewNotificationFields = v.InferOutput<typeof newNotificationBody>["notification"]
