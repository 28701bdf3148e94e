/** A notification as the API shows it (spec/policies §7). */

import { flag, listOf, optional, record, text, textMap } from "../answer.ts"
import { described, uuid, wholeNumber, type Written } from "../answer.ts"

export const notificationRecord = record({
  id: wholeNumber,
  tenantId: uuid,
  enabled: flag,
  type: text,
  properties: described(textMap, "Secrets are asterisks"),
  secretsToEnter: optional(
    described(listOf(text), "Properties whose secrets must be entered again"),
  ),
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
  /** Names of properties whose secrets must be entered again. */
  readonly lostSecrets?: readonly string[]
}

export function notificationDocument(
  notification: NotificationSubject,
): Written<typeof notificationRecord> {
  const { id, tenantId, enabled, type, properties, lostSecrets = [] } = notification
  // Only if there are any: strict clients refuse unknown names.
  const more = lostSecrets.length === 0 ? {} : { secretsToEnter: lostSecrets }
  return { id, tenantId, enabled, type, properties, ...more }
}
