/** Settings: HTTPS, and how long browsers stay signed in. */

import { parseAddressRanges } from "../../outbound/address-policy.ts"
import { durationForm, durationMs, matching, wholeNumberOf } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const accessSettings = {
  tlsCertPath: setting<string | null>({
    name: "tls-cert",
    fallback: "",
    fallbackNote: "none: plain HTTP",
    form: "a path",
    meaning: "Certificate as PEM, its chain behind it. With it the port speaks HTTPS only.",
    isCredentialPath: true,
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  tlsKeyPath: setting<string | null>({
    name: "tls-key",
    fallback: "",
    form: "a path",
    meaning: "Private key of the certificate as PEM, without a passphrase, closed to other users.",
    isCredentialPath: true,
    parse: (text) => matching(text, /^[^\0]+$/),
  }),
  httpRedirectPort: setting<number | null>({
    name: "http-redirect",
    fallback: "",
    form: "a whole number from 1 to 65535",
    meaning: "Port that answers plain HTTP with 308 and the https address.",
    parse: (text) => wholeNumberOf(text, 1, 65_535),
  }),
  hstsMs: setting<number | null>({
    name: "hsts",
    fallback: "",
    form: durationForm("PT0S", "P3650D"),
    meaning: "How long browsers must use https only (Strict-Transport-Security). PT0S ends it.",
    parse: (text) => durationMs(text, "PT0S", "P3650D"),
  }),
  trustedProxies: setting<readonly string[]>({
    name: "trusted-proxies",
    fallback: "127.0.0.0/8,::1/128",
    form: "none, or comma-separated CIDR ranges and addresses",
    meaning:
      "Proxies whose X-Forwarded-For says who called them, for throttling of logins, sessions " +
      "and logs.",
    parse: parseAddressRanges,
  }),
  loginIdleMs: setting({
    name: "login-idle",
    fallback: "P14D",
    form: durationForm("PT5M", "P365D"),
    meaning: "A browser that stays signed in is signed out if it was not used for this long.",
    parse: (text) => durationMs(text, "PT5M", "P365D"),
  }),
  loginMaxMs: setting({
    name: "login-max",
    fallback: "P30D",
    form: durationForm("PT5M", "P365D"),
    meaning: "A browser that stays signed in is signed out after this long.",
    parse: (text) => durationMs(text, "PT5M", "P365D"),
  }),
}
