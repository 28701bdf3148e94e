/**
 * Opens the command palette, which is loaded after the page: the first load is no longer for it.
 * What is typed before it is loaded is kept.
 */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import magnifier from "heroicons/20/solid/magnifying-glass.svg"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { useStateOf } from "../../parts/use-state-of.ts"
import { lazyCode } from "../../platform/code.ts"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { text } from "./opener-text.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import type { PaletteProps } from "./palette.tsx"
import { PaletteField } from "./palette-field.tsx"
import style from "./palette.module.css"

type PaletteModule = typeof import("./palette.tsx")
const loadPalette = lazyCode(() => import("./palette.tsx"))

/** After the first data of most pages. */
const loadMs = 1_500

interface PaletteOpenerProps {
  /** Whether the page shows a range of time. */
  readonly hasRange: boolean
}

/** The button of the top bar, and the key that opens the palette from everywhere. */
export function PaletteOpener({ hasRange }: PaletteOpenerProps) {
  const { toasts } = useApp()
  const [isOpen, setOpen] = useState(false)
  const [palette, setPalette] = useState<PaletteModule | null>(null)
  const load = (): void => {
    loadPalette().then(setPalette, (error: Error) => {
      setOpen(false)
      toasts.show(error.message, "error")
    })
  }
  useEffect(() => after(loadMs, load), [])
  useEffect(() => {
    if (isOpen && palette === null) load()
  }, [isOpen])
  const command = useRef<(() => void) | null>(null)
  const end = (next: (() => void) | null): void => {
    command.current = next
    setOpen(false)
  }
  // After the palette: until then nothing behind it takes the focus.
  useLayoutEffect(() => {
    if (isOpen) return
    command.current?.()
    command.current = null
  }, [isOpen])
  const run = (): void => setOpen(true)
  useHotkeys([{ keys: "mod+k", text: text.key, group: "everywhere", run, whileTyping: true }])
  return (
    <>
      <span class={style["opener"]}>
        <Button icon={magnifier} aria-haspopup="dialog" aria-keyshortcuts="Control+K" onClick={run}>
          <span class={style["openerText"]}>{text.opener}</span>
          <kbd>Ctrl K</kbd>
        </Button>
      </span>
      {isOpen && <PaletteDialog hasRange={hasRange} palette={palette} onEnd={end} />}
    </>
  )
}

interface PaletteDialogProps extends Pick<PaletteProps, "hasRange" | "onEnd"> {
  /** Null until it is loaded. */
  readonly palette: PaletteModule | null
}

function PaletteDialog({ hasRange, palette, onEnd }: PaletteDialogProps) {
  const [typed, setTyped] = useState("")
  const [awaited, setAwaited] = useStateOf<PaletteProps["awaited"]>(typed, null)
  return (
    <Dialog title={text.title} closeName={text.close} shape="palette" onClose={() => onEnd(null)}>
      {palette === null ? (
        <PaletteField
          typed={typed}
          onType={setTyped}
          onEnter={(inNewTab) => setAwaited({ inNewTab })}
        />
      ) : (
        <palette.default
          {...{ hasRange, typed, awaited, onEnd }}
          onType={setTyped}
          onAwait={setAwaited}
        />
      )}
    </Dialog>
  )
}
