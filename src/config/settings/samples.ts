/** Settings: which samples are accepted, and how long they are kept. */

import { setting, type Setting } from "../setting.ts"
import { durationForm, durationMs } from "../setting-forms.ts"

export const sampleSettings = {
  acceptPastMs: setting({
    name: "accept-past",
    fallback: "P14D",
    form: durationForm("PT0S", "P3650D"),
    meaning: "Age up to which a sample is accepted.",
    parse: (text) => durationMs(text, "PT0S", "P3650D"),
  }),
  acceptFutureMs: setting({
    name: "accept-future",
    fallback: "PT5M",
    form: durationForm("PT0S", "P1D"),
    meaning: "How far ahead of the server's clock a sample may be.",
    parse: (text) => durationMs(text, "PT0S", "P1D"),
  }),
  cycleGraceMs: setting({
    name: "cycle-grace",
    fallback: "PT60S",
    form: durationForm("PT0S", "PT1H"),
    meaning: "How long after its end a five-minute cycle closes.",
    parse: (text) => durationMs(text, "PT0S", "PT1H"),
  }),
  retentionZeroMs: retention("zero", "P15D", "raw samples"),
  retentionPt5mMs: retention("pt5m", "P90D", "five-minute buckets"),
  retentionPt1hMs: retention("pt1h", "P395D", "one-hour buckets"),
  retentionPt24hMs: retention("pt24h", "P1825D", "one-day buckets"),
}

function retention(name: string, fallback: string, what: string): Setting<number> {
  return {
    name: `retention-${name}`,
    fallback,
    form: durationForm("P1D", "P36500D"),
    meaning: `How long ${what} are kept; at least accept-past and a day.`,
    parse: (text) => durationMs(text, "P1D", "P36500D"),
  }
}
