/** Routes of notifications (spec/policies §7). */

import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { visibleProperties } from "../../../records/secrets/secret-fields.ts"
import type { Notification } from "../../../records/integrations/notifications.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import {
  changedNotificationBody,
  newNotificationBody,
} from "../../../wire/records/notification-body.ts"
import { listOf, record } from "../../../wire/answer.ts"
import {
  notificationDocument,
  notificationRecord,
  testOutcomeAnswer,
} from "../../../wire/records/notification-document.ts"
import { numberParameter, viewerOf } from "../call-parameters.ts"
import { json, noBody, noContent } from "../../shared/route.ts"
import type { Call, Handler, Parameter, RouteDeps, Route } from "../../shared/route.ts"
import { idValue } from "../../shared/values.ts"

const section = "Notifications"

const idParameter: Parameter = {
  name: "id",
  in: "path",
  description: "Id of the notification, a whole number",
  value: idValue,
  required: true,
}

const list: Handler = async (call, deps) => {
  const found = await deps.records.notifications.list(call.tenant)
  return json({ notifications: found.map((notification) => documentOf(notification, call, deps)) })
}

const create: Handler = async (call, deps) => {
  const { notification } = readRecord(newNotificationBody, call.body)
  const stored = await deps.records.notifications.create(call.tenant, notification)
  return json({ notification: documentOf(stored, call, deps) })
}

const get: Handler = async (call, deps) => {
  const stored = await deps.records.notifications.get(call.tenant, numberParameter(call))
  return json({ notification: documentOf(stored, call, deps) })
}

const change: Handler = async (call, deps) => {
  const id = numberParameter(call)
  const { notification } = readRecord(changedNotificationBody, call.body)
  const stored = await deps.records.notifications.change(call.tenant, id, notification)
  return json({ notification: documentOf(stored, call, deps) })
}

const remove: Handler = async (call, deps) => {
  await deps.records.notifications.remove(call.tenant, numberParameter(call))
  return noContent
}

const testNew: Handler = async (call, { records, courier }) => {
  const { notification } = readRecord(newNotificationBody, call.body)
  const recipient = records.notifications.draft(call.tenant, notification)
  return json(await courier.test(recipient, call.tenant))
}

const testStored: Handler = async (call, { records, courier }) => {
  const recipient = await records.notifications.getDecrypted(call.tenant, numberParameter(call))
  return json(await courier.test(recipient, call.tenant))
}

function documentOf(
  stored: StoredRecord<Notification>,
  call: Call,
  { accounts, records }: RouteDeps,
) {
  const { id, body } = stored
  const { enabled, type } = body
  const { tenant } = call
  const properties = visibleProperties(body.properties, viewerOf(call))
  const tenantId = accounts.tenantUuid(tenant)
  const lostSecrets = records.notifications.lostSecrets(tenant, stored)
  return notificationDocument({ id: Number(id), tenantId, enabled, type, properties, lostSecrets })
}

const newExample = {
  notification: {
    enabled: true,
    type: "email",
    properties: {
      name: "my test email",
      address: "example.email@example.com",
      payloadType: "default",
      templateType: "default",
      subjectTemplate: "Test Event [${policyName}]",
      bodyTemplate: '<#if payloadType == "event">${eventCategory.name}</#if>',
    },
  },
}

const exampleRecord = notificationDocument({
  id: 1,
  tenantId: "0f6c1a5e-4a86-4b52-9d7c-0a7c7f2b9a10",
  ...newExample.notification,
})
const testAnswer = {
  status: 200,
  schema: testOutcomeAnswer,
  description: "`success`, and in `content` the reason where the receiver did not take it",
  example: { success: true, content: "Successfully processed message" },
}
const oneNotification = {
  status: 200,
  schema: record({ notification: notificationRecord }),
  example: { notification: exampleRecord },
}

export const notificationRoutes: readonly Route[] = [
  {
    path: "/notifications",
    section,
    operations: {
      GET: {
        summary: "All notifications",
        access: "reader",
        response: {
          status: 200,
          description: "`notifications`, by id",
          schema: record({ notifications: listOf(notificationRecord) }),
          example: { notifications: [exampleRecord] },
        },
        handle: list,
      },
      POST: {
        summary: "Create a notification",
        access: "writer",
        body: {
          kind: "json",
          description: "The type, and properties that fit it",
          schema: newNotificationBody,
          example: newExample,
        },
        response: { ...oneNotification, description: "The notification as it was stored" },
        handle: create,
      },
    },
  },
  // Before those with an id, since "test" would be one.
  {
    path: "/notifications/test",
    section,
    operations: {
      POST: {
        summary: "Try a notification that is not stored",
        access: "writer",
        body: {
          kind: "json",
          description: "A notification as for creating one; an example is sent, nothing is stored",
          schema: newNotificationBody,
          example: newExample,
        },
        response: testAnswer,
        handle: testNew,
      },
    },
  },
  {
    path: "/notifications/test/:id",
    section,
    operations: {
      POST: {
        summary: "Try a notification",
        access: "writer",
        parameters: [idParameter],
        response: testAnswer,
        handle: testStored,
      },
    },
  },
  {
    path: "/notifications/:id",
    section,
    operations: {
      GET: {
        summary: "One notification",
        access: "reader",
        parameters: [idParameter],
        response: {
          ...oneNotification,
          description: "The notification; secrets are hidden, and addresses from Read Only",
        },
        handle: get,
      },
      PUT: {
        summary: "Change a notification",
        access: "writer",
        parameters: [idParameter],
        body: {
          kind: "json",
          description:
            "What is absent stays, properties are merged; a hidden secret sent back stays." +
            " With another origin of the URL, or another type, secrets are to be sent again",
          schema: changedNotificationBody,
          example: { notification: { enabled: false } },
        },
        response: { ...oneNotification, description: "The notification as it is now" },
        handle: change,
      },
      DELETE: {
        summary: "Remove a notification",
        access: "writer",
        parameters: [idParameter],
        response: noBody(204, "Done"),
        handle: remove,
      },
    },
  },
]
