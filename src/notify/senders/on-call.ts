/**
 * Senders for on-call services. PagerDuty: Events API v2
 * (https://developer.pagerduty.com/docs/send-alert-event), or v1 if the URL of the notification is
 * one of v1. Opsgenie: Alert API (https://docs.opsgenie.com/docs/alert-api). Both deduplicate and
 * close alerts by a key.
 */

import { invalid } from "../../base/errors.ts"
import { bodyWithin } from "../body-within.ts"
import { truncate } from "../../base/text/truncate.ts"
import type { MessageContent } from "../message-content.ts"
import { opsgenieLimits, pagerDutyLimits } from "./limits.ts"
import { jsonRequest, propertyOf, type Sender } from "./sender.ts"

const pagerDutyUrl = "https://events.pagerduty.com/v2/enqueue"
const opsgenieUrl = "https://api.opsgenie.com/v2/alerts"

const severities = { INFO: "info", WARNING: "warning", CRITICAL: "critical" } as const
const priorities = { INFO: "P5", WARNING: "P3", CRITICAL: "P1" } as const

export const pagerduty: Sender = ({ properties, message }) => {
  const key = properties["serviceKey"] ?? ""
  const url = propertyOf(properties, "url") ?? pagerDutyUrl
  const bodyOf = url.endsWith("/create_event.json") ? pagerDutyV1 : pagerDutyV2
  const { eventBytes, results } = pagerDutyLimits
  const body = bodyWithin(eventBytes, results, (max) =>
    bodyOf(key, message, detailsOf(message, pagerDutyLimits.detail, max)),
  )
  return jsonRequest(url, body)
}

function pagerDutyV2(key: string, message: MessageContent, details: Details): object {
  const source = truncate(message.elementName, pagerDutyLimits.source)
  const payload = {
    summary: truncate(message.title, pagerDutyLimits.summary),
    source,
    severity: severities[message.level],
    timestamp: message.time,
    component: source,
    class: truncate(message.policyName, pagerDutyLimits.class),
    custom_details: details,
  }
  return {
    routing_key: key,
    event_action: pagerDutyAction(message),
    dedup_key: message.incidentKey,
    payload,
    client: "Tidegauge",
    client_url: message.incidentUrl,
  }
}

/** The format of keys that are older than version 2. */
function pagerDutyV1(key: string, message: MessageContent, details: Details): object {
  return {
    service_key: key,
    event_type: pagerDutyAction(message),
    incident_key: message.incidentKey,
    description: truncate(message.title, pagerDutyLimits.summary),
    details,
    client: "Tidegauge",
    client_url: message.incidentUrl,
  }
}

function pagerDutyAction({ payloadType }: MessageContent): "trigger" | "resolve" {
  return payloadType === "event_cleared" ? "resolve" : "trigger"
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
    const note = truncate(message.title, opsgenieLimits.note)
    return jsonRequest(url + path, { source, note }, headers)
  }
  const { details, detail } = opsgenieLimits
  const alert = {
    message: truncate(message.title, opsgenieLimits.message),
    alias: message.incidentKey,
    description: truncate(message.text, opsgenieLimits.description),
    entity: truncate(message.elementName, opsgenieLimits.entity),
    source,
    priority: priorities[message.level],
    tags: [truncate(message.policyName, opsgenieLimits.tag)],
    details: bodyWithin(details, details, (max) => detailsOf(message, detail, max)),
  }
  return jsonRequest(url, alert, headers)
}

const source = truncate("Tidegauge", opsgenieLimits.source)

type Details = Readonly<Record<string, string>>

/** Facts of at most `charactersMax` characters each, and results of at most `resultsMax`. */
function detailsOf(message: MessageContent, charactersMax: number, resultsMax: number): Details {
  const { names, text, deliveryId, policyName, elementName, time, ...rest } = message
  const elementFqn = String(names["elementFqn"])
  const { baseUrl, incidentUrl } = rest
  const facts = { policyName, elementName, elementFqn, time, deliveryId, baseUrl, incidentUrl }
  const short = Object.entries(facts).map(([name, fact]) => [name, truncate(fact, charactersMax)])
  return { ...Object.fromEntries(short), results: truncate(text, resultsMax) }
}
