/** E-mail by the operator's SMTP server. */

import type { Transporter } from "nodemailer"
import { invalid, ServiceError } from "../base/errors.ts"
import { truncate } from "../base/text/truncate.ts"
import type { RenderedDocument } from "../template/render.ts"
import { renderBody, renderMessage, type MessageContent } from "./message-content.ts"
import { MessageRefused } from "./message-refused.ts"
import { mailLimits } from "./senders/limits.ts"
import { deliveryHeader, propertyOf, templateOf, type OpenProperties } from "./senders/sender.ts"

export type RequireTls = "auto" | "yes" | "no"

export interface MailSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  readonly smtpUrl: string
  /** The sender's address. */
  readonly from: string
  /**
   * Whether an smtp:// server must offer TLS. "auto" requires it if a password is sent to another
   * machine, because an attacker in between could otherwise suppress the offer and read it.
   */
  readonly requireTls: RequireTls
}

/**
 * Sends one message to a notification's addresses. Throws `MessageRefused` with the reason if the
 * server refused the message for good, `invalid` for another failure.
 */
export type SendMail = (properties: OpenProperties, message: MessageContent) => Promise<void>

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
      headers: { [deliveryHeader]: message.deliveryId },
    }
    try {
      await transport.sendMail(mail)
    } catch (cause) {
      // The server's response says which address it refused, and never contains our password.
      const { code, response } = cause as MailError
      const reason = code === "ETLS" ? noTls : (response ?? code ?? "no connection")
      const problem = `the mail server refused the message: ${reason}`
      if (isRefusal(cause as MailError)) throw new MessageRefused(problem, { cause })
      throw new ServiceError("invalid", problem, { cause })
    }
  }
}

/** Fields that nodemailer adds to an error. */
interface MailError {
  readonly code?: string
  /** The server's answer, and the command that it answers. */
  readonly response?: string
  readonly responseCode?: number
  readonly command?: string
}

/** Commands whose answer is about the message and its recipients. */
const messageCommands: ReadonlySet<string | undefined> = new Set(["RCPT TO", "DATA"])
/** A wrong order of commands, and a missing or failed login: about the session (RFC 4954 §6). */
const sessionReplies: ReadonlySet<number> = new Set([503, 530, 534, 535, 538])
/** A message over the server's limit is refused with its size (RFC 1870 §6). */
const tooLargeReply = 552

/** Whether the server would refuse the message at each attempt (RFC 5321 §4.2.1). */
function isRefusal({ code, command, responseCode = 0 }: MailError): boolean {
  // nodemailer compares the size with the limit that the server has announced.
  if (command === "MAIL FROM") return responseCode === tooLargeReply || code === "EMESSAGE"
  const isPermanent = responseCode >= 500 && !sessionReplies.has(responseCode)
  return isPermanent && messageCommands.has(command)
}

/** Loads nodemailer with the first message, because that takes longer than the whole start. */
async function openTransport({ smtpUrl, requireTls }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import("nodemailer")
  return createTransport({
    url: smtpUrl,
    requireTLS: needsTls(smtpUrl, requireTls),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    // No content of a message may make the mailer read a file or call a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const noTls = "it cannot be spoken to by TLS (see --smtp-require-tls)"

/** Whether TLS is required for a server, see `MailSettings.requireTls`. */
export function needsTls(smtpUrl: string, requireTls: RequireTls): boolean {
  if (requireTls !== "auto") return requireTls === "yes"
  const { username, hostname } = new URL(smtpUrl)
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
  return username !== "" && !isHere
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
