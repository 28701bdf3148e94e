/** Toggle: a button that is on or off; Enter and Space switch it. */

import type { ComponentChildren } from "preact"
import { classNames } from "./class-names.ts"
import style from "./toggle.module.css"

export interface ToggleProps {
  readonly isOn: boolean
  readonly onValue: (isOn: boolean) => void
  readonly children: ComponentChildren
}

export function Toggle({ isOn, onValue, children }: ToggleProps) {
  return (
    <button
      type="button"
      class={classNames(style["toggle"], isOn && style["on"])}
      aria-pressed={isOn}
      onClick={() => onValue(!isOn)}
    >
      {children}
    </button>
  )
}
