/**
 * Limits of the fields of each receiver, as it documents them: a request beyond one is refused, or
 * cut there. Characters are counted as UTF-16 code units, of which no receiver counts more.
 *
 * Slack      https://docs.slack.dev/changelog/2018-04-truncating-really-long-messages
 *            https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments
 * Teams      https://learn.microsoft.com/microsoftteams/limits-specifications-teams
 * PagerDuty  https://developer.pagerduty.com/docs/events-api-v2-overview
 *            https://developer.pagerduty.com/docs/events-api-v1-overview
 * Opsgenie   https://docs.opsgenie.com/docs/alert-api#create-alert
 * SNS        https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 * mail       RFC 5322 §2.1.1: lines of 998 bytes, 78 recommended; nodemailer breaks them
 *
 * A webhook has no limit but those of templates and events.
 */

const kib = 1024

export const slackLimits = {
  /** Slack cuts texts after 40,000 characters and recommends 4,000; `&` is escaped as five. */
  text: 4_000,
  attachmentText: 3_000,
  /** Without a documented limit; lines of a list. */
  title: 500,
  fieldValue: 500,
  username: 80,
  channel: 80,
  footer: 300,
} as const

export const teamsLimits = {
  /** Of the whole request: 28 KB. */
  bodyBytes: 28_000,
  /** Without a limit of their own: together well under that of the request, escaped too. */
  title: 500,
  fact: 250,
  text: 3_000,
} as const

export const pagerDutyLimits = {
  /** Of the whole event: 512 KB. */
  eventBytes: 512_000,
  /** `summary`, and `description` of version 1. */
  summary: 1_024,
  /** `dedup_key`, and `incident_key` of version 1. */
  key: 255,
  /** Without a documented limit: that of the summary. */
  source: 1_024,
  class: 1_024,
  detail: 1_024,
  results: 100_000,
} as const

export const opsgenieLimits = {
  message: 130,
  alias: 512,
  description: 15_000,
  entity: 512,
  source: 100,
  tag: 50,
  /** Of all keys and values together; counted as the bytes of their JSON, which are no fewer. */
  details: 8_000,
  detail: 300,
  note: 25_000,
} as const

export const snsLimits = {
  /** ASCII without control characters. */
  subject: 100,
  /** 256 KiB with the attributes, of which ours have less than 1 KiB. */
  messageBytes: 255 * kib,
} as const

export const mailLimits = {
  /** Of our own: mail clients show no more of a subject. */
  subject: 250,
} as const

/** The key of an incident at on-call services: the shortest of their limits. */
export const incidentKeyMax = Math.min(pagerDutyLimits.key, opsgenieLimits.alias)
