/**
 * Senders for chat services. Slack: incoming webhooks with attachments
 * (https://api.slack.com/reference/messaging/attachments). Teams: an adaptive card, which both its
 * workflows and its older connectors accept
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors).
 */

import type { MessageContent } from "../message-content.ts"
import { renderMessage } from "../message-content.ts"
import { truncate, jsonRequest, propertyOf, templateOf, type Sender } from "./sender.ts"

/** Slack truncates longer texts of attachments; cards are limited to 28 KB. */
const textCharactersMax = 3_000

export const slack: Sender = ({ properties, message }) => {
  const { title, color, incidentUrl, time } = message
  const template = templateOf(properties, "bodyTemplate")
  const text =
    template === undefined ? slackText(message.text) : renderMessage(template, message, slackText)
  const attachment = {
    fallback: title,
    color,
    title: slackText(title),
    title_link: incidentUrl,
    text: truncate(text, textCharactersMax),
    fields: factsOf(message).map(([name, value]) => ({
      title: name,
      value: slackText(value),
      short: true,
    })),
    footer: message.deliveryId,
    ts: Math.floor(Date.parse(time) / 1000),
  }
  const username = propertyOf(properties, "username")
  const channel = propertyOf(properties, "channel")
  return jsonRequest(properties["url"] ?? "", {
    ...(username === undefined ? {} : { username }),
    ...(channel === undefined ? {} : { channel }),
    text: slackText(title),
    attachments: [attachment],
  })
}

const cardColors = { INFO: "accent", WARNING: "warning", CRITICAL: "attention" } as const

export const teams: Sender = ({ properties, message }) => {
  const { title, text, incidentUrl, level, payloadType } = message
  const color = payloadType === "event_cleared" ? "good" : cardColors[level]
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      { type: "TextBlock", text: title, weight: "bolder", size: "medium", color, wrap: true },
      { type: "TextBlock", text: truncate(text, textCharactersMax), wrap: true },
      {
        type: "FactSet",
        facts: factsOf(message).map(([name, value]) => ({ title: name, value })),
      },
    ],
    actions: [{ type: "Action.OpenUrl", title: "Open", url: incidentUrl }],
  }
  const contentType = "application/vnd.microsoft.card.adaptive"
  return jsonRequest(properties["url"] ?? "", {
    type: "message",
    summary: title,
    attachments: [{ contentType, contentUrl: null, content }],
  })
}

function factsOf({ policyName, elementName, level, time }: MessageContent): [string, string][] {
  return [
    ["Policy", policyName],
    ["Element", elementName],
    ["Category", level],
    ["Time", time],
  ]
}

/** Slack's three control characters (https://api.slack.com/reference/surfaces/formatting). */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
