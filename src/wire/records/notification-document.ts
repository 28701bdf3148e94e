/** A notification as the API shows it (field-facts §10). */

export interface NotificationSubject {
  readonly id: number
  /** A UUID in lower case. */
  readonly tenantId: string
  readonly enabled: boolean
  readonly type: string
  readonly properties: Readonly<Record<string, string>>
}

export function notificationDocument(notification: NotificationSubject): Record<string, unknown> {
  const { id, tenantId, enabled, type, properties } = notification
  return { id, tenantId, enabled, type, properties }
}
