/** Settings: mail, and calls to foreign addresses. */

import { parseAllowedAddresses, type AllowedAddresses } from "../../outbound/address-policy.ts"
import { matching } from "../setting-forms.ts"
import { setting } from "../setting.ts"

const mailAddress = /[^\s@<>,;"()\\]+@[^\s@<>,;"()\\]+/.source
/** Words, or a quoted text (RFC 5322 §3.4); a comma outside of quotes would begin another address. */
const displayName = /(?:[^\p{Cc}"<>()[\]:;@\\,]{0,100}|"(?:[^\p{Cc}"\\]|\\["\\]){0,100}")/u.source
const mailSender = new RegExp(
  `^(?:(?=.{3,254}$)${mailAddress}|${displayName}\\s*<(?=.{3,254}>$)${mailAddress}>)$`,
  "u",
)

export const outboundSettings = {
  allowedAddresses: setting<AllowedAddresses | null>({
    name: "allow-private-addresses",
    fallback: "",
    fallbackNote: "public addresses only",
    form: "all, or CIDR ranges and addresses between commas",
    meaning: "Addresses besides the public ones that webhooks and downloads may be sent to.",
    parse: parseAllowedAddresses,
  }),
  smtpUrl: setting<string | null>({
    name: "smtp-url",
    fallback: "",
    form: "smtp://user:password@host:port, or smtps://",
    meaning: "Mail server for notifications. Other users can see a flag: prefer the file.",
    secret: true,
    parse: (text) => (URL.canParse(text) ? matching(text, /^smtps?:\/\/\S+$/) : undefined),
  }),
  smtpFrom: setting({
    name: "smtp-from",
    fallback: "tidegauge@localhost",
    form: "an e-mail address, alone or in angle brackets behind a name",
    meaning: "Sender of e-mails.",
    parse: (text) => matching(text.trim(), mailSender),
  }),
  smtpRequireTls: setting({
    name: "smtp-require-tls",
    fallback: "auto",
    form: "one of auto, yes, no",
    meaning:
      "Use smtp:// only with TLS. auto: if a password is sent to another machine. yes verifies " +
      "certificates, auto but on loopback.",
    parse: (text) => (["auto", "yes", "no"] as const).find((one) => one === text),
  }),
}
