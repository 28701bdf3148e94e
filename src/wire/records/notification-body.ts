/** Bodies of notifications (field-facts §10). */

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

export const newNotificationBody = objectValue({
  notification: objectValue({ ...fields, type: typeText, properties: propertiesValue }),
})

export const changedNotificationBody = objectValue({ notification: objectValue(fields) })

export type NotificationFields = v.InferOutput<typeof changedNotificationBody>["notification"]
export type NewNotificationFields = v.InferOutput<typeof newNotificationBody>["notification"]
