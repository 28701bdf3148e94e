/** Whether dark colours are shown, for what is drawn on a canvas. */

import { useEffect, useState } from "preact/hooks"
import { isDark, onMedia } from "../platform/page.ts"
import { useApp } from "./app.ts"

export function useDark(): boolean {
  const { theme } = useApp().preferences.choices.value
  const [isShown, setShown] = useState(isDark)
  useEffect(() => setShown(isDark()), [theme])
  useEffect(() => onMedia("(prefers-color-scheme: dark)", () => setShown(isDark())), [])
  return isShown
}
