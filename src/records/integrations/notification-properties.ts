/** The properties of each type of notification: what it needs, and what it may have. */

import type { NotificationType } from "../../wire/records/notification-body.ts"

export interface NotificationProperty {
  readonly name: string
  /** One sentence for the handbook. */
  readonly meaning: string
  /** True if a notification without it is refused when it is saved. */
  readonly isRequired?: boolean
}

const template = (
  name: string,
  text: string,
  fallback = "a text of the server",
): NotificationProperty => ({ name, meaning: `Template of the ${text}; if absent ${fallback}.` })

const allNames = "a JSON object of all names of templates"

/** Every type has these as well. */
export const commonProperties: readonly NotificationProperty[] = [
  { name: "name", meaning: "Name in lists.", isRequired: true },
  {
    name: "payloadType",
    meaning: "`default` ignores the templates below, `custom` uses them; absent: uses those given.",
  },
]

/** By type, in the order of the handbook. A type without properties is kept, never delivered. */
export const notificationProperties: Readonly<
  Record<NotificationType, readonly NotificationProperty[]>
> = {
  email: [
    {
      name: "address",
      meaning: "Up to 50 addresses, between commas, semicolons or spaces.",
      isRequired: true,
    },
    { name: "templateType", meaning: "The same as `payloadType`, under an older name." },
    template("subjectTemplate", "subject"),
    template("bodyTemplate", "body, as HTML if it begins with a tag"),
  ],
  webhook: [
    { name: "url", meaning: "Address of the receiver, http or https.", isRequired: true },
    template("postContentTemplate", "body", allNames),
    { name: "basicUsername", meaning: "User of Basic authentication." },
    { name: "basicPassword", meaning: "Its password." },
    {
      name: "headers",
      meaning: "Up to 50 headers: a JSON object, or lines `Name: value`.",
    },
  ],
  slack: [
    { name: "url", meaning: "Address of the incoming webhook.", isRequired: true },
    { name: "username", meaning: "Name of the sender." },
    { name: "channel", meaning: "Another channel than the webhook's." },
    template("bodyTemplate", "text"),
  ],
  teams: [{ name: "url", meaning: "Address of the workflow or connector.", isRequired: true }],
  pagerduty: [
    { name: "serviceKey", meaning: "Integration key of the service.", isRequired: true },
    { name: "url", meaning: "Address of the Events API, version 2 or 1; version 2 if absent." },
  ],
  opsgenie: [
    { name: "apiKey", meaning: "Key of the integration; needed for delivery." },
    { name: "url", meaning: "Address of the Alert API, for example of Europe." },
  ],
  sns: [
    { name: "topicArn", meaning: "ARN of the topic; `topic` is the same. Without it `url`." },
    { name: "url", meaning: "Address of a compatible service, or of a subscriber." },
    { name: "accessKeyId", meaning: "Signs requests to a topic; `accessKey` is the same." },
    { name: "secretAccessKey", meaning: "Its secret; `secretKey` is the same." },
    template("postContentTemplate", "message", allNames),
  ],
  hipchat: [],
}

/** Names of the properties without which a notification of the type is refused. */
export function requiredProperties(type: NotificationType): string[] {
  return [...commonProperties, ...notificationProperties[type]]
    .filter(({ isRequired }) => isRequired === true)
    .map(({ name }) => name)
}
