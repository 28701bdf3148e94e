/** The status line: the connection, how new the data is, who is signed in. */

import type { ComponentChildren } from "preact"
import { useApp } from "./app.ts"
import { BuildNotice } from "./code/build-notice.tsx"
import { Connection } from "./live/connection.tsx"
import style from "./status-line.module.css"
import { text } from "./text.ts"

interface StatusLineProps {
  /** How new the data is. */
  readonly children: ComponentChildren
}

export function StatusLine({ children }: StatusLineProps) {
  const { session } = useApp()
  const { user } = session
  if (user === null) return null
  const { email, roles, tenantProperties } = user
  return (
    <footer class={style["line"]}>
      <Connection />
      {children}
      <BuildNotice />
      <span dir="auto">{text.account(tenantProperties.name, email, roles[0])}</span>
    </footer>
  )
}
