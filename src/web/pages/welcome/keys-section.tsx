/** The key of the first steps: made here, and not shown again, so those that were made are listed. */

import { useState } from "preact/hooks"
import { listKeys, makeKey, revokeKey, type ApiKey, type MadeKey } from "../../api/first-steps.ts"
import { timeText } from "../../format/times.ts"
import { useApp } from "../../frame/app.ts"
import { useReloadOn } from "../../frame/live/use-live.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { ConfirmDialog } from "../../parts/dialog.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import { text } from "./text.ts"
import style from "./welcome.module.css"

interface KeysSectionProps {
  /** The key in the texts of the page; null without one. */
  readonly made: MadeKey | null
  readonly onMade: (made: MadeKey | null) => void
}

export function KeysSection({ made, onMade }: KeysSectionProps) {
  const { api, toasts } = useApp()
  const { value, error, reload } = useLoaded("keys", (signal) => listKeys(api, signal))
  const [isBusy, setBusy] = useState(false)
  // A key that is used for the first time.
  useReloadOn(["ingest"], reload)
  const change = (changing: Promise<MadeKey | null>): void => {
    setBusy(true)
    changing
      .then(onMade, (problem: Error) => toasts.show(problem.message, "error"))
      .finally(() => {
        setBusy(false)
        reload()
      })
  }
  const revoke = async ({ id }: ApiKey): Promise<MadeKey | null> => {
    await revokeKey(api, id)
    toasts.show(text.revoked)
    return made?.key.id === id ? null : made
  }
  if (value === null && error === null) return <Skeleton text={text.loadingKeys} rows={2} />
  const keys = (value ?? []).filter(({ name, enabled }) => enabled && name === text.keyName)
  const hasKey = keys.length > 0
  return (
    <div class={style["keys"]}>
      <LoadFailed error={error} title={text.noKeys} retryText={text.retry} onRetry={reload} />
      {hasKey && <KeyTable keys={keys} made={made} onRevoke={(key) => change(revoke(key))} />}
      {value !== null && (
        <div class={style["key"]}>
          <p class="secondary" role="status">
            {made !== null ? text.keyMade : hasKey ? text.keyAgain : text.keyWhy}
          </p>
          <Button
            kind={hasKey ? "normal" : "main"}
            isBusy={isBusy}
            onClick={() => change(makeKey(api, text.keyName))}
          >
            {hasKey ? text.makeAnother : text.makeKey}
          </Button>
        </div>
      )}
    </div>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly made: MadeKey | null
  readonly onRevoke: (key: ApiKey) => void
}

function KeyTable({ keys, made, onRevoke }: KeyTableProps) {
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const times = useApp().preferences.timeStyle.value
  const time = (ms: number): string => timeText(ms, times)
  return (
    <>
      <table class={style["keyTable"]}>
        <caption>{text.keyTable}</caption>
        <thead>
          <tr>
            <th scope="col">{text.keyCreated}</th>
            <th scope="col">{text.keyLastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <td>
                {time(key.created)} {made?.key.id === key.id && text.keyHere}
              </td>
              <td>{key.lastUsed === null ? text.neverUsed : time(key.lastUsed)}</td>
              <td>
                <Button
                  aria-label={text.revokeOf(time(key.created))}
                  onClick={() => setRevoking(key)}
                >
                  {text.revoke}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoking !== null && (
        <ConfirmDialog
          title={text.revokeTitle(time(revoking.created))}
          closeName={text.close}
          text={text.revokeText}
          cancelText={text.cancel}
          confirmText={text.revoke}
          onClose={() => setRevoking(null)}
          onConfirm={() => onRevoke(revoking)}
        />
      )}
    </>
  )
}
