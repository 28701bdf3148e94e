/** Routes of notifications (spec/policies §7). */

import type { StoredRecord } from "../../../records/core/record-collection.ts"
import { visibleProperties } from "../../../records/secrets/secret-fields.ts"
import type { Notification } from "../../../records/integrations/notifications.ts"
import { readRecord } from "../../../wire/records/fields.ts"
import {
  changedNotificationBody,
  newNotificationBody,
} from "../../../wire/records/notification-body.ts"
import {
  notificationDocument,
  notificationRecord,
  testOutcomeAnswer,
} from "../../../wire/records/notification-document.ts"
import { readNumberId, viewerOf } from "../call-parameters.ts"
import { resourceRoutes } from "../resource.ts"
import { idValue, pathParameter } from "../../shared/parameters.ts"
import { json, jsonBody, ok, route } from "../../shared/route.ts"
import type { Call, Handler, Route, RouteDeps } from "../../shared/route.ts"

const section = "Notifications"

const id = pathParameter("id", "Id of the notification, a whole number", { value: idValue })

const testNew: Handler = async (call, { records, notificationSender }) => {
  const { notification } = readRecord(newNotificationBody, call.body)
  const recipient = records.notifications.draft(call.tenant, notification)
  return json(await notificationSender.test(recipient, call.tenant))
}

const testStored: Handler = async (call, { records, notificationSender }) => {
  const recipient = await records.notifications.getDecrypted(call.tenant, readNumberId(call))
  return json(await notificationSender.test(recipient, call.tenant))
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
const testAnswer = ok(
  "`success`, and in `content` the reason if the receiver refused it",
  testOutcomeAnswer,
  { success: true, content: "Successfully processed message" },
)

const [listRoute, recordRoute] = resourceRoutes({
  path: "/notifications",
  section,
  id,
  names: ["notification", "notifications"],
  schema: notificationRecord,
  example: exampleRecord,
  list: {
    summary: "All notifications",
    returns: "`notifications`, by id",
    run: async (call, deps) => {
      const found = await deps.records.notifications.list(call.tenant)
      return found.map((stored) => documentOf(stored, call, deps))
    },
  },
  create: {
    summary: "Create a notification",
    body: jsonBody("The type, and properties that fit it", newNotificationBody, newExample),
    returns: "The notification as it was stored",
    run: async (call, deps) => {
      const { notification } = readRecord(newNotificationBody, call.body)
      const stored = await deps.records.notifications.create(call.tenant, notification)
      return documentOf(stored, call, deps)
    },
  },
  get: {
    summary: "One notification",
    returns: "The notification; secrets are hidden, and addresses from Read Only",
    run: async (call, deps) => {
      const stored = await deps.records.notifications.get(call.tenant, readNumberId(call))
      return documentOf(stored, call, deps)
    },
  },
  change: {
    summary: "Change a notification",
    body: jsonBody(
      "What is absent stays, properties are merged; a hidden secret sent back stays." +
        " With another origin of the URL, or another type, secrets are to be sent again",
      changedNotificationBody,
      { notification: { enabled: false } },
    ),
    returns: "The notification as it is now",
    run: async (call, deps) => {
      const id = readNumberId(call)
      const { notification } = readRecord(changedNotificationBody, call.body)
      const stored = await deps.records.notifications.change(call.tenant, id, notification)
      return documentOf(stored, call, deps)
    },
  },
  remove: {
    summary: "Remove a notification",
    returns: "Done",
    run: (call, deps) => deps.records.notifications.remove(call.tenant, readNumberId(call)),
  },
})

export const notificationRoutes: readonly Route[] = [
  listRoute,
  // These precede `/notifications/:id`, which would take "test" for an id.
  route(section, "/notifications/test", {
    POST: {
      summary: "Try a notification that is not stored",
      access: "writer",
      body: jsonBody(
        "A notification as for creating one; an example is sent, nothing is stored",
        newNotificationBody,
        newExample,
      ),
      response: testAnswer,
      handle: testNew,
    },
  }),
  route(section, "/notifications/test/:id", {
    POST: {
      summary: "Try a notification",
      access: "writer",
      parameters: [id],
      response: testAnswer,
      handle: testStored,
    },
  }),
  recordRoute,
]
