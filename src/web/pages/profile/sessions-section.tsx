/** Where the user is signed in, and the way to end a session there. */

import { endOtherSessions, endSession, listSessions, type LoginSession } from "../../api/users.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { timeText } from "../../format/times.ts"
import { Button } from "../../parts/button.tsx"
import { LoadFailed, Skeleton } from "../../parts/states.tsx"
import style from "./profile.module.css"
import { text } from "./text.ts"

export function SessionsSection() {
  const { api, toasts } = useApp()
  const { value, error, reload } = useLoaded("sessions", () => listSessions(api))
  const end = (ending: Promise<void>): void => {
    ending.then(
      () => {
        toasts.show(text.ended)
        reload()
      },
      (problem: Error) => toasts.show(problem.message, "error"),
    )
  }
  return (
    <section class={style["section"]}>
      <h2>{text.sessions}</h2>
      <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={reload} />
      {value === null && error === null && <Skeleton text={text.loading} rows={2} />}
      {value !== null && <SessionTable sessions={value} onEnd={(id) => end(endSession(api, id))} />}
      {value !== null && value.length > 1 && (
        <div>
          <Button onClick={() => end(endOtherSessions(api))}>{text.endOthers}</Button>
        </div>
      )}
    </section>
  )
}

interface SessionTableProps {
  readonly sessions: readonly LoginSession[]
  readonly onEnd: (id: string) => void
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  const times = useApp().preferences.timeStyle.value
  return (
    <div tabIndex={0} role="region" aria-label={text.sessionsCaption}>
      <table class={style["table"]}>
        <caption class="visually-hidden">{text.sessionsCaption}</caption>
        <thead>
          <tr>
            <th>{text.browser}</th>
            <th>{text.address}</th>
            <th>{text.lastUsed}</th>
            <th>{text.expires}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ id, userAgent, address, lastUsed, expires, isCurrent }) => (
            <tr key={id}>
              <td class={style["agent"]} dir="auto">
                {userAgent}
              </td>
              <td>{address}</td>
              <td>{timeText(lastUsed, times)}</td>
              <td>{timeText(expires, times)}</td>
              <td>
                {isCurrent ? (
                  text.thisBrowser
                ) : (
                  <Button kind="quiet" onClick={() => onEnd(id)}>
                    {text.end}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
