/**
 * The time picker of the top bar: a button that shows the range and the zone, and a panel with
 * ranges, two fields that take every form of a time, and the zone. `t` opens it. In a small window
 * the zone and the refresh are in the panel alone, which is a sheet on a phone.
 */

import clock from "heroicons/20/solid/clock.svg"
import refresh from "heroicons/20/solid/arrow-path.svg"
import { Fragment } from "preact"
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Floating } from "../../parts/floating.tsx"
import { useApp } from "../app.ts"
import { LiveSwitch } from "./live-switch.tsx"
import { rangeName, shortRangeName } from "./range-names.ts"
import { useRangeKeys } from "./range-keys.ts"
import { text } from "../text.ts"
import { phoneWindow, useMedia } from "../use-media.ts"
import { TimePanel } from "./time-panel.tsx"
import style from "./time-picker.module.css"

export function TimePicker() {
  const { ranges } = useApp()
  const current = ranges.current.value
  const [isOpen, setOpen] = useState(false)
  const holder = useRef<HTMLSpanElement>(null)
  const button = holder.current?.querySelector("button")
  const close = useCallback(() => {
    setOpen(false)
    holder.current?.querySelector("button")?.focus()
  }, [])
  const closeOutside = useCallback(() => setOpen(false), [])
  useRangeKeys(() => setOpen(true))
  const { zone } = current.style
  const offset = zone.offsetText(current.range.endMs)
  const name = rangeName(current)
  const isPhone = useMedia(phoneWindow)
  const parts = isPhone ? shortRangeName(current) : [name]
  useOpenedFocus(isOpen && !isPhone)
  return (
    <span ref={holder} class={style["holder"]}>
      <Button
        icon={clock}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="visually-hidden">{text.range.title}</span>
        <span class={style["name"]} title={name}>
          {parts.map((part, i) => (
            <Fragment key={i}>
              {i > 0 && " "}
              <span>{part}</span>
            </Fragment>
          ))}
        </span>
        <span class={style["zone"]}>
          <span class={style["zoneName"]}>{zone.name}</span> {offset}
        </span>
      </Button>
      <span class={style["refresh"]}>
        <Button
          kind="quiet"
          icon={refresh}
          iconName={text.range.keys.refetch}
          onClick={() => ranges.refetch()}
        />
        <LiveSwitch />
      </span>
      {isOpen && isPhone && (
        <Dialog shape="sheet" title={text.range.title} closeName={text.close} onClose={close}>
          <TimePanel isSheet onDone={close} />
        </Dialog>
      )}
      {isOpen && !isPhone && button !== null && button !== undefined && (
        <Floating anchor={button} align="end" onClose={closeOutside}>
          <div role="dialog" aria-label={text.range.title}>
            <TimePanel onDone={close} />
          </div>
        </Floating>
      )}
    </span>
  )
}

/** The panel's first field has the focus when it is opened. */
function useOpenedFocus(isOpen: boolean): void {
  useLayoutEffect(() => {
    const field = document.querySelector<HTMLInputElement>(`.${style["first"]} input`)
    if (!isOpen || field === null) return
    // Some browsers select without the focus.
    field.focus()
    field.select()
  }, [isOpen])
}
