/** Runs a change of many alerts and tells its outcome. */

import { useState } from "preact/hooks"
import type { ApiClient } from "../../api/client.ts"
import {
  changedIncidentsMax,
  changeIncidents,
  incidentPage,
  type IncidentChange,
  type IncidentFilter,
} from "../../api/incidents.ts"
import { useApp } from "../../frame/app.ts"
import { text } from "./text.ts"

/** Some alerts by id, or all that pass a filter. */
export type ChangeTarget = { readonly ids: readonly string[] } | { readonly filter: IncidentFilter }

/** Alerts that one press changes at most: ten calls. More are changed by further presses. */
const changedAtOnceMax = 10 * changedIncidentsMax

export function useChange(onChanged: () => void) {
  const { api, toasts } = useApp()
  const [isRunning, setRunning] = useState(false)
  const run = (target: ChangeTarget, change: IncidentChange): void => {
    setRunning(true)
    changeAll(api, target, change)
      .then(
        ({ changed, failures, reason }) => {
          if (failures === 0) toasts.show(text.changed[change.action](changed))
          else toasts.show(text.failed(failures, reason), "error")
        },
        (error: Error) => toasts.show(error.message, "error"),
      )
      .finally(() => {
        setRunning(false)
        onChanged()
      })
  }
  return { isRunning, run }
}

async function changeAll(api: ApiClient, target: ChangeTarget, change: IncidentChange) {
  const ids = "ids" in target ? target.ids : await idsOf(api, target.filter)
  const outcome = { changed: 0, failures: 0, reason: "" }
  for (let from = 0; from < ids.length; from += changedIncidentsMax) {
    const part = ids.slice(from, from + changedIncidentsMax)
    const { changed, failed } = await changeIncidents(api, part, change)
    outcome.changed += changed
    outcome.failures += failed.length
    outcome.reason ||= failed[0]?.error ?? ""
  }
  return outcome
}

async function idsOf(api: ApiClient, filter: IncidentFilter): Promise<readonly string[]> {
  const order = { isNewestFirst: true, limit: changedAtOnceMax, offset: 0 }
  const { incidents } = await incidentPage(api, filter, order, new AbortController().signal)
  return incidents.map(({ incidentId }) => incidentId)
}
