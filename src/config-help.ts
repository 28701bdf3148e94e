/** The text of `--help`. */

import {
  settingFallback,
  settingFlag,
  settingList,
  settingVariable,
  type Setting,
} from "./config-settings.ts"

/** Lines of at most 100 columns, ending with a line feed. */
export function configHelp(): string {
  const head = [
    "Tidegauge: a monitoring server in one process.",
    "",
    "Commands, each with a --help of its own: serve (or none), account, user, key, verify, demo,",
    "replay. A server tells its API as a page to read and try under /docs.",
    "",
    "Settings are flags (--port 8080 or --port=8080) or environment variables; a flag wins.",
    "Durations are ISO 8601: PT60S, PT5M, P14D; a year counts 365 days and a month 30.",
    "",
  ]
  return [...head, ...settingList.flatMap(settingLines), "  --help", "      This text.", ""].join(
    "\n",
  )
}

function settingLines(of: Setting<unknown>): string[] {
  return [
    `  ${settingFlag(of)}  ${settingVariable(of)}`,
    `      ${of.meaning}`,
    `      Form: ${of.form}.`,
    `      Default: ${settingFallback(of)}.`,
    "",
  ]
}
