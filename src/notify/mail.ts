/** E-mail by the operator's SMTP server. */

import type { Transporter } from "nodemailer"
import { invalid } from "../base/errors.ts"
import { truncate } from "../base/text/truncate.ts"
import type { RenderedDocument } from "../template/render.ts"
import { renderBody, renderMessage, type MessageContent } from "./message-content.ts"
import { mailFailure, refusedRecipients, type MailError, type MailResult } from "./mail-failures.ts"
import { mailLimits } from "./senders/limits.ts"
import { deliveryHeader, propertyOf, templateOf, type OpenProperties } from "./senders/sender.ts"

export type RequireTls = "auto" | "yes" | "no"

export interface MailSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  readonly smtpUrl: string
  /** The sender's address, with a display name or without. */
  readonly from: string
  /**
   * Whether an smtp:// server must offer TLS. "auto" requires it if a password is sent to another
   * machine, because an attacker in between could otherwise suppress the offer and read it.
   */
  readonly requireTls: RequireTls
}

/**
 * Sends one message to a notification's addresses; returns those that the server refused while it
 * took the message for others, each with the reason. Throws `MessageRefused` with the reason if the
 * server refused the message for good, `invalid` for another failure.
 */
export type SendMail = (
  properties: OpenProperties,
  message: MessageContent,
) => Promise<string | undefined>

/** More recipients belong into a mailing list of the mail server. */
const recipientsMax = 50
/** Timeout of each step of the conversation, equal to that of an HTTP call. */
const stepTimeoutMs = 10_000

/** Creates a mailer. Without settings, every call throws `invalid`. */
export function createMailer(settings: MailSettings | null): SendMail {
  if (settings === null) {
    return () => Promise.reject(invalid("no mail server is set: see --smtp-url"))
  }
  let opened: Promise<Transporter> | null = null
  return async (properties, message) => {
    const transport = await (opened ??= openTransport(settings))
    const to = recipientsOf(properties)
    const { subject, body } = mailContentOf(properties, message)
    const content = body.isHtml ? { html: body.text } : { text: body.text }
    const mail = {
      from: settings.from,
      to,
      subject,
      ...content,
      messageId: `<${message.deliveryId}@tidegauge>`,
      // RFC 3834: no vacation notice answers it.
      headers: { [deliveryHeader]: message.deliveryId, "auto-submitted": "auto-generated" },
    }
    try {
      const { rejectedErrors } = (await transport.sendMail(mail)) as MailResult
      return refusedRecipients(rejectedErrors)
    } catch (cause) {
      throw mailFailure(cause as MailError)
    }
  }
}

/** Loads nodemailer with the first message, because that takes longer than the whole start. */
async function openTransport({ smtpUrl, requireTls }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import("nodemailer")
  return createTransport({
    url: smtpUrl,
    requireTLS: needsTls(smtpUrl, requireTls),
    tls: { rejectUnauthorized: verifiesCertificate(smtpUrl, requireTls) },
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // No content of a message may make the mailer read a file or call a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Whether TLS is required for a server, see `MailSettings.requireTls`. */
export function needsTls(smtpUrl: string, requireTls: RequireTls): boolean {
  if (requireTls !== "auto") return requireTls === "yes"
  return new URL(smtpUrl).username !== "" && !isLoopback(smtpUrl)
}

/**
 * Whether a server that offers TLS must have a trusted certificate. On loopback nothing lies in
 * between, and mail servers come with one of their own; a server that may do without TLS may do
 * with any.
 */
export function verifiesCertificate(smtpUrl: string, requireTls: RequireTls): boolean {
  return requireTls === "yes" || (requireTls === "auto" && !isLoopback(smtpUrl))
}

function isLoopback(smtpUrl: string): boolean {
  return /^(?:localhost\.?|127(?:\.\d+){3}|\[::1\])$/i.test(new URL(smtpUrl).hostname)
}

function recipientsOf(properties: OpenProperties): string[] {
  const addresses = (propertyOf(properties, "address") ?? "").split(/[\s,;]+/).filter(Boolean)
  const isFit = addresses.every((address) => /^[^\s@<>()"]+@[^\s@<>()"]+$/.test(address))
  if (addresses.length === 0 || addresses.length > recipientsMax || !isFit) {
    throw invalid(
      `notification.properties.address: expected 1 to ${recipientsMax} e-mail addresses`,
    )
  }
  return addresses
}

function mailContentOf(properties: OpenProperties, message: MessageContent): MailContent {
  const subjectTemplate = templateOf(properties, "subjectTemplate")
  const bodyTemplate = templateOf(properties, "bodyTemplate")
  const subject =
    subjectTemplate === undefined ? message.title : renderMessage(subjectTemplate, message)
  const body =
    bodyTemplate === undefined
      ? { text: plainBody(message), isHtml: false }
      : renderBody(bodyTemplate, message)
  const line = subject.replace(/\s+/g, " ").trim()
  return { subject: truncate(line, mailLimits.subject), body }
}

interface MailContent {
  readonly subject: string
  readonly body: RenderedDocument
}

function plainBody({
  title,
  text,
  policyName,
  elementName,
  time,
  incidentUrl,
}: MessageContent): string {
  const facts = [`Policy: ${policyName}`, `Element: ${elementName}`, `Time: ${time}`]
  return [title, ...(text === "" ? [] : ["", text]), "", ...facts, "", incidentUrl, ""].join("\n")
}
