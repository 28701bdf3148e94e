/**
 * Senders for chat services. Slack: incoming webhooks with attachments
 * (https://api.slack.com/reference/messaging/attachments). Teams: an adaptive card, which both its
 * workflows and its older connectors accept
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors).
 */

import { bodyWithin } from "../body-within.ts"
import { truncate } from "../../base/text/truncate.ts"
import type { MessageContent } from "../message-content.ts"
import { renderMessage } from "../message-content.ts"
import { slackLimits, teamsLimits } from "./limits.ts"
import { jsonRequest, propertyOf, templateOf, type Sender } from "./sender.ts"

export const slack: Sender = ({ properties, message }) => {
  const { color, incidentUrl, time } = message
  const template = templateOf(properties, "bodyTemplate")
  const title = truncate(message.title, slackLimits.title)
  const text =
    template === undefined
      ? slackText(truncate(message.text, slackLimits.attachmentText))
      : truncate(renderMessage(template, message, slackText), slackLimits.attachmentText)
  const attachment = {
    fallback: title,
    color,
    title: slackText(title),
    title_link: incidentUrl,
    text,
    fields: factsOf(message, slackLimits.fieldValue).map(([name, value]) => ({
      title: name,
      value: slackText(value),
      short: true,
    })),
    footer: truncate(message.deliveryId, slackLimits.footer),
    ts: Math.floor(Date.parse(time) / 1000),
  }
  const username = propertyOf(properties, "username")
  const channel = propertyOf(properties, "channel")
  return jsonRequest(properties["url"] ?? "", {
    ...(username === undefined ? {} : { username: truncate(username, slackLimits.username) }),
    ...(channel === undefined ? {} : { channel: truncate(channel, slackLimits.channel) }),
    text: truncate(slackText(title), slackLimits.text),
    attachments: [attachment],
  })
}

const cardColors = { INFO: "accent", WARNING: "warning", CRITICAL: "attention" } as const

export const teams: Sender = ({ properties, message }) => {
  const { incidentUrl, level, payloadType } = message
  const color = payloadType === "event_cleared" ? "good" : cardColors[level]
  const title = truncate(message.title, teamsLimits.title)
  const facts = factsOf(message, teamsLimits.fact).map(([name, value]) => ({ title: name, value }))
  const heading = { type: "TextBlock", text: title, weight: "bolder", size: "medium", color }
  const bodyOf = (charactersMax: number) => {
    const text = truncate(message.text, charactersMax)
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [
        { ...heading, wrap: true },
        { type: "TextBlock", text, wrap: true },
        { type: "FactSet", facts },
      ],
      actions: [{ type: "Action.OpenUrl", title: "Open", url: incidentUrl }],
    }
    const contentType = "application/vnd.microsoft.card.adaptive"
    const attachments = [{ contentType, contentUrl: null, content }]
    return { type: "message", summary: title, attachments }
  }
  const body = bodyWithin(teamsLimits.bodyBytes, teamsLimits.text, bodyOf)
  return jsonRequest(properties["url"] ?? "", body)
}

function factsOf(
  { policyName, elementName, level, time }: MessageContent,
  charactersMax: number,
): [string, string][] {
  return [
    ["Policy", truncate(policyName, charactersMax)],
    ["Element", truncate(elementName, charactersMax)],
    ["Category", level],
    ["Time", time],
  ]
}

/** Slack's three control characters (https://api.slack.com/reference/surfaces/formatting). */
function slackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
