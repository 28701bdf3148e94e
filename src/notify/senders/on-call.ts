/**
 * Senders for on-call services. PagerDuty: Events API v2
 * (https://developer.pagerduty.com/docs/send-alert-event), or v1 if the URL of the notification is
 * one of v1. Opsgenie: Alert API (https://docs.opsgenie.com/docs/alert-api). Both deduplicate and
 * close alerts by a key.
 */

import { invalid } from "../../base/errors.ts"
import type { MessageContent } from "../message-content.ts"
import { truncate, jsonRequest, propertyOf, type Sender, type SenderRequest } from "./sender.ts"

const pagerDutyUrl = "https://events.pagerduty.com/v2/enqueue"
const opsgenieUrl = "https://api.opsgenie.com/v2/alerts"

const severities = { INFO: "info", WARNING: "warning", CRITICAL: "critical" } as const
const priorities = { INFO: "P5", WARNING: "P3", CRITICAL: "P1" } as const

/** Limits of the two services. */
const summaryCharactersMax = 1_024
const alertCharactersMax = 130
const descriptionCharactersMax = 15_000
const tagCharactersMax = 50

export const pagerduty: Sender = ({ properties, message }) => {
  const key = properties["serviceKey"] ?? ""
  const url = propertyOf(properties, "url") ?? pagerDutyUrl
  if (url.endsWith("/create_event.json")) return pagerDutyV1(url, key, message)
  const isClear = message.payloadType === "event_cleared"
  const payload = {
    summary: truncate(message.title, summaryCharactersMax),
    source: message.elementName,
    severity: severities[message.level],
    timestamp: message.time,
    component: message.elementName,
    class: message.policyName,
    custom_details: detailsOf(message),
  }
  return jsonRequest(url, {
    routing_key: key,
    event_action: isClear ? "resolve" : "trigger",
    dedup_key: message.incidentKey,
    payload,
    client: "Tidegauge",
    client_url: message.incidentUrl,
  })
}

/** The format of keys that are older than version 2. */
function pagerDutyV1(url: string, key: string, message: MessageContent): SenderRequest {
  return jsonRequest(url, {
    service_key: key,
    event_type: message.payloadType === "event_cleared" ? "resolve" : "trigger",
    incident_key: message.incidentKey,
    description: truncate(message.title, summaryCharactersMax),
    details: detailsOf(message),
    client: "Tidegauge",
    client_url: message.incidentUrl,
  })
}

export const opsgenie: Sender = ({ properties, message }) => {
  const key = propertyOf(properties, "apiKey")
  if (key === undefined) {
    throw invalid("notification.properties.apiKey: expected the key of an Opsgenie integration")
  }
  const url = (propertyOf(properties, "url") ?? opsgenieUrl).replace(/\/+$/, "")
  const headers = { authorization: `GenieKey ${key}` }
  if (message.payloadType === "event_cleared") {
    const path = `/${encodeURIComponent(message.incidentKey)}/close?identifierType=alias`
    return jsonRequest(url + path, { source: "Tidegauge", note: message.title }, headers)
  }
  const alert = {
    message: truncate(message.title, alertCharactersMax),
    alias: message.incidentKey,
    description: truncate(message.text, descriptionCharactersMax),
    entity: message.elementName,
    source: "Tidegauge",
    priority: priorities[message.level],
    tags: [truncate(message.policyName, tagCharactersMax)],
    details: detailsOf(message),
  }
  return jsonRequest(url, alert, headers)
}

function detailsOf(message: MessageContent): Record<string, string> {
  const { names, text, deliveryId, policyName, elementName, time, ...rest } = message
  const elementFqn = String(names["elementFqn"])
  const { baseUrl, incidentUrl } = rest
  const urls = { baseUrl, incidentUrl }
  return { policyName, elementName, elementFqn, results: text, time, deliveryId, ...urls }
}
