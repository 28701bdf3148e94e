/** Severities of events and incidents, as the levels that pages show, and how incidents end. */

import * as v from "valibot"

/** The worst first. */
export const alarmLevels = ["critical", "warning", "info"] as const
export type AlarmLevel = (typeof alarmLevels)[number]

const levelOf = { INFO: "info", WARNING: "warning", CRITICAL: "critical" } as const

/** The word of an answer becomes a level. */
export const severity = v.pipe(
  v.picklist(["INFO", "WARNING", "CRITICAL"]),
  v.transform((word): AlarmLevel => levelOf[word]),
)

/** Of an incident: those of earlier versions have none. */
export const incidentLevel = v.pipe(
  v.nullable(severity),
  v.transform((level): AlarmLevel => level ?? "info"),
)

/** The worst of some levels; info if there are none. */
export function worstLevel(levels: readonly AlarmLevel[]): AlarmLevel {
  return alarmLevels.find((level) => levels.includes(level)) ?? "info"
}

/** Why an incident was closed; null while it is open, and of earlier versions. */
export const closeReason = v.nullable(v.picklist(["recovered", "noData", "quiet", "ended", "user"]))
export type CloseReason = v.InferOutput<typeof closeReason>
