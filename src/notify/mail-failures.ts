/** Failures of mail servers: which are final, and their reasons. */

import { ServiceError } from "../base/errors.ts"
import { truncate } from "../base/text/truncate.ts"
import { MessageRefused } from "./message-refused.ts"

/** Fields that nodemailer adds to an error. */
export interface MailError {
  readonly message: string
  readonly code?: string
  /** The code of the system, if `code` is one of nodemailer. */
  readonly originalCode?: string
  /** The server's answer, and the command that it answers. */
  readonly response?: string
  readonly responseCode?: number
  readonly command?: string
  /** The recipient that was refused. */
  readonly recipient?: string
  readonly rejectedErrors?: readonly MailError[]
}

/** The result of a mail that the server took for some recipients at least. */
export type MailResult = Pick<MailError, "rejectedErrors">

/** Longest list of refused recipients in a reason. */
const recipientsCharactersMax = 1_000

/** Refused recipients, each with the server's answer; undefined if there are none. */
export function refusedRecipients(rejected: readonly MailError[] = []): string | undefined {
  if (rejected.length === 0) return undefined
  const each = rejected.map((one) => `${one.recipient}: ${one.response ?? one.message}`)
  return truncate(each.join("; "), recipientsCharactersMax)
}

/** The error of a mail that was taken for no recipient. */
export function mailFailure(cause: MailError): ServiceError {
  const problem = `the mail server refused the message: ${reasonOf(cause)}`
  if (isRefusal(cause)) return new MessageRefused(problem, { cause })
  return new ServiceError("invalid", problem, { cause })
}

const hint = "(see --smtp-require-tls)"

/** None of these texts contains our password. */
function reasonOf({ message, code, originalCode, response, rejectedErrors }: MailError): string {
  const isTls = code === "ETLS" || code === "ESOCKET"
  if (isTls && /certificate/i.test(message)) {
    const why = message.replace(/^Error initiating TLS - /, "")
    return `its certificate is not trusted: ${why} ${hint}`
  }
  if (code === "ETLS") return `it cannot be spoken to by TLS ${hint}`
  const socketCode = originalCode ?? code ?? "no connection"
  return refusedRecipients(rejectedErrors) ?? response ?? socketCode
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
