/** Opens the command palette, which is loaded after the page: the first load is no longer for it. */

import { useEffect, useState } from "preact/hooks"
import magnifier from "heroicons/20/solid/magnifying-glass.svg"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { after } from "../../platform/timers.ts"
import { useApp } from "../app.ts"
import { text } from "./opener-text.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import style from "./palette.module.css"

type PaletteModule = typeof import("./palette.tsx")

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
    import("./palette.tsx").then(setPalette, (error: Error) => toasts.show(error.message, "error"))
  }
  useEffect(() => after(loadMs, load), [])
  useEffect(() => {
    if (isOpen && palette === null) load()
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
      {isOpen && (
        <Dialog
          title={text.title}
          closeName={text.close}
          shape="palette"
          onClose={() => setOpen(false)}
        >
          {palette !== null && <palette.default hasRange={hasRange} onEnd={() => setOpen(false)} />}
        </Dialog>
      )}
    </>
  )
}
