/** Runs a change of many alerts in parts, and tells how far it is and its outcome. */

import { useState } from "preact/hooks"
import { changeIncidents, incidentIds } from "../../api/incidents.ts"
import type { IncidentChange, IncidentFilter } from "../../api/incident/listed.ts"
import { useApp } from "../../frame/app.ts"
import { changeAll, type ChangeTarget, type Progress } from "./change-parts.ts"
import { text } from "./text.ts"

export function useChange(onChanged: () => void) {
  const { api, toasts } = useApp()
  const [progress, setProgress] = useState<Progress | null>(null)
  const run = (target: ChangeTarget, change: IncidentChange): void => {
    setProgress({ done: 0, count: 0 })
    const calls = {
      idsOf: (filter: IncidentFilter, limit: number) => incidentIds(api, filter, limit),
      changePart: (ids: readonly string[]) => changeIncidents(api, ids, change),
    }
    changeAll(calls, target, setProgress)
      .then(
        ({ changed, failures, reason }) => {
          if (failures === 0) toasts.show(text.changed[change.action](changed))
          else toasts.show(text.failed(failures, changed, reason), "error")
        },
        (error: Error) => toasts.show(error.message, "error"),
      )
      .finally(() => {
        setProgress(null)
        onChanged()
      })
  }
  return { progress, isRunning: progress !== null, run }
}
