/** Actions on an incident; Read Only users may copy its link. */

import { useLayoutEffect, useState } from "preact/hooks"
import { mutePolicy, type PolicyState } from "../../api/incident/incident.ts"
import type { IncidentDetails } from "../../api/incident/incident-answer.ts"
import { useApp } from "../../frame/app.ts"
import { copyAndTell } from "../../frame/copy.ts"
import { mayWrite } from "../../frame/session/session.ts"
import { text as frameText } from "../../frame/text.ts"
import { useHotkeys } from "../../frame/use-hotkeys.ts"
import { Button } from "../../parts/button.tsx"
import { Menu } from "../../parts/menu.tsx"
import { restoreFocus } from "../../platform/focus.ts"
import { fullUrl } from "../../platform/location.ts"
import { AcknowledgeDialog, CloseDialog } from "../alerts/alert-dialogs.tsx"
import { useChange } from "../alerts/use-change.ts"
import style from "./incident.module.css"
import { text } from "./text.ts"

export interface IncidentHeadProps {
  readonly incident: IncidentDetails
  /** Null before it is known. */
  readonly policy: PolicyState | null
  readonly isElementDeleted: boolean
  readonly onChanged: () => void
}

export function IncidentActions(props: IncidentHeadProps) {
  const { session, toasts } = useApp()
  const copy = (): void => void copyAndTell(toasts, fullUrl(), frameText.linkCopy)
  return (
    <div class={style["actions"]}>
      {mayWrite(session.user) && <Changes {...props} />}
      <Button onClick={copy}>{frameText.copyLink}</Button>
    </div>
  )
}

function Changes({ incident, policy, onChanged }: IncidentHeadProps) {
  const [dialog, setDialog] = useState<"ack" | "close" | null>(null)
  const change = useChange(onChanged)
  const target = { ids: [incident.incidentId] }
  const isOpen = incident.tsClosed === null
  const close = (): void => setDialog(null)
  const page = { group: "page" } as const
  const acknowledge = (): void => setDialog("ack")
  const keys = [
    { ...page, keys: "a", text: text.keys.acknowledge, run: acknowledge },
    { ...page, keys: "c", text: text.keys.close, run: () => setDialog("close") },
  ]
  useHotkeys(isOpen ? keys : [])
  // The button that closes an alert goes with it.
  useLayoutEffect(restoreFocus, [isOpen])
  return (
    <>
      {incident.acked ? (
        <Button isBusy={change.isRunning} onClick={() => change.run(target, { action: "unack" })}>
          {text.takeBack}
        </Button>
      ) : (
        <Button kind={isOpen ? "main" : "normal"} isBusy={change.isRunning} onClick={acknowledge}>
          {text.acknowledge}
        </Button>
      )}
      {isOpen && (
        <Button kind="danger" isBusy={change.isRunning} onClick={() => setDialog("close")}>
          {text.close}
        </Button>
      )}
      {policy !== null && !policy.isDeleted && (
        <MuteMenu
          policyId={incident.policyId}
          isMuted={policy.mutedUntilMs !== null}
          onChanged={onChanged}
        />
      )}
      {dialog === "ack" && (
        <AcknowledgeDialog
          count={1}
          onClose={close}
          onChange={(made) => change.run(target, made)}
        />
      )}
      {dialog === "close" && (
        <CloseDialog count={1} onClose={close} onChange={(made) => change.run(target, made)} />
      )}
    </>
  )
}

const hourMs = 3_600_000

interface MuteMenuProps {
  readonly policyId: string
  readonly isMuted: boolean
  readonly onChanged: () => void
}

function MuteMenu({ policyId, isMuted, onChanged }: MuteMenuProps) {
  const { api, toasts } = useApp()
  const mute = (forMs: number | null) => () => {
    mutePolicy(api, policyId, forMs).then(
      () => {
        toasts.show(forMs === null ? text.unmutedNow : text.mutedNow)
        onChanged()
      },
      (error: Error) => toasts.show(error.message, "error"),
    )
  }
  const { hour, four, day, week } = text.muteFor
  return (
    <Menu
      align="end"
      items={[
        { text: hour, run: mute(hourMs) },
        { text: four, run: mute(4 * hourMs) },
        { text: day, run: mute(24 * hourMs) },
        { text: week, run: mute(7 * 24 * hourMs) },
        ...(isMuted ? [{ text: text.unmute, run: mute(null) }] : []),
      ]}
    >
      {text.mute}
    </Menu>
  )
}
