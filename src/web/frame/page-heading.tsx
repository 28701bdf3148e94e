/**
 * The heading of a page: its title is the document's too, and it takes the focus when the page is
 * opened from another one, so that a screen reader reads it.
 */

import { useEffect } from "preact/hooks"
import { restoreFocus } from "../platform/focus.ts"
import { setTitle } from "../platform/page.ts"
import { useApp } from "./app.ts"
import { text } from "./text.ts"

export interface PageHeadingProps {
  readonly text: string
  /** Only for screen readers: a page whose frame says already what it is. */
  readonly isHidden?: boolean
}

export function PageHeading({ text: title, isHidden = false }: PageHeadingProps) {
  const alerts = useApp().openAlerts.value?.total ?? 0
  useEffect(() => {
    const whole = `${title} – ${text.product}`
    setTitle(alerts === 0 ? whole : text.titleWithAlerts(alerts, whole))
  }, [title, alerts])
  // A field of the page may have taken the focus already.
  useEffect(restoreFocus, [])
  return (
    <h1 tabIndex={-1} dir="auto" class={isHidden ? "visually-hidden" : undefined}>
      {title}
    </h1>
  )
}
