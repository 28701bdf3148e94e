/** Settings: what people and clients of the API see. */

import { legacyNamesModes } from "../../wire/legacy-names.ts"
import { matching } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const interfaceSettings = {
  baseUrl: setting<string | null>({
    name: "base-url",
    fallback: "",
    fallbackNote: "the address that is listened on",
    form: "an http or https URL",
    meaning: "Where people find this server: links and browsers lead there.",
    parse: (text) => matching(text, /^https?:\/\/[^\s/]+(?:\/\S*)?$/)?.replace(/\/+$/, ""),
  }),
  metricsAccess: setting({
    name: "metrics-access",
    fallback: "local",
    form: "one of local, user, all",
    meaning:
      "Who reads /metrics/internal without a password. " +
      "Take user behind a proxy on this machine.",
    parse: (text) => (["local", "user", "all"] as const).find((access) => access === text),
  }),
  legacyNames: setting({
    name: "legacy-names",
    fallback: "both",
    form: "one of both, old, new",
    meaning:
      "Names of set tags in answers: serviceTags (new), netuitiveTags (old). " +
      "Take old for clients that refuse unknown names.",
    parse: (text) => legacyNamesModes.find((mode) => mode === text),
  }),
}
