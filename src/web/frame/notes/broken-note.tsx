/** A note about parameters of a link that could not be read; their defaults are shown instead. */

import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../app.ts"
import style from "./broken-note.module.css"
import { text } from "./text.ts"

export interface BrokenNoteProps {
  /** Names of the page's own parameters. */
  readonly names: readonly string[]
}

export function BrokenNote({ names }: BrokenNoteProps) {
  const { isBroken } = useApp().ranges.current.value
  const all = [...names, ...(isBroken ? [text.range] : [])]
  if (all.length === 0) return null
  return (
    <p class={style["note"]} role="status">
      {text.broken(all.map((name) => visibleText(name)))}
    </p>
  )
}
