/** Settings: what the server says about itself: own metrics and logs. */

import { logLevels } from "../../base/log.ts"
import { durationForm, durationMs } from "../setting-forms.ts"
import { setting } from "../setting.ts"

export const observationSettings = {
  selfMonitoring: setting({
    name: "self-monitoring",
    fallback: "off",
    form: "one of on, off",
    meaning:
      "Store the server's own metrics once a minute as those of the element tidegauge, which a " +
      "bundled package watches.",
    parse: (text) => (["on", "off"] as const).find((one) => one === text),
  }),
  slowQueryMs: setting({
    name: "slow-query",
    fallback: "PT1S",
    form: durationForm("PT0S", "PT1H"),
    meaning: "Time from which a query is logged with its plan, waiting included. PT0S logs all.",
    parse: (text) => durationMs(text, "PT0S", "PT1H"),
  }),
  accessLog: setting({
    name: "access-log",
    fallback: "off",
    form: "one of off, errors, all",
    meaning: "Requests that are logged: none, those with a status of 400 or more, or all.",
    parse: (text) => (["off", "errors", "all"] as const).find((which) => which === text),
  }),
  logLevel: setting({
    name: "log-level",
    fallback: "info",
    form: `one of ${logLevels.join(", ")}`,
    meaning: "Least severe log line that is written.",
    parse: (text) => logLevels.find((level) => level === text),
  }),
  logFormat: setting({
    name: "log-format",
    fallback: "auto",
    form: "one of auto, text, json",
    meaning: "Form of log lines. auto is text on a terminal and json elsewhere.",
    parse: (text) => (["auto", "text", "json"] as const).find((format) => format === text),
  }),
}
