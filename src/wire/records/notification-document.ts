/** A notification as the API shows it (field-facts §10). */

import { flag, record, text, textMap, told, uuid, wholeNumber, type Written } from "../answer.ts"

export const notificationRecord = record({
  id: wholeNumber,
  tenantId: uuid,
  enabled: flag,
  type: text,
  properties: told(textMap, "Secrets are asterisks"),
})

/** The answer of a test. */
export const testOutcomeAnswer = record({ success: flag, content: text })

export interface NotificationSubject {
  readonly id: number
  /** A UUID in lower case. */
  readonly tenantId: string
  readonly enabled: boolean
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
}

export function notificationDocument(
  notification: NotificationSubject,
): Written<typeof notificationRecord> {
  const { id, tenantId, enabled, type, properties } = notification
  return { id, tenantId, enabled, type, properties }
}
