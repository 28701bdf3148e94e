/**
 * Button: a native button, so Enter and Space press it. `isBusy` keeps it focusable and tells
 * screen readers that it works; presses meanwhile do nothing.
 */

import type { ComponentChildren, JSX } from "preact"
import { classNames } from "./class-names.ts"
import { Icon } from "./icon.tsx"
import style from "./button.module.css"

type ButtonAttributes = Omit<JSX.IntrinsicElements["button"], "class" | "icon">

export interface ButtonProps extends ButtonAttributes {
  /** "quiet" has no border until it is pointed at. */
  readonly kind?: "normal" | "main" | "quiet" | "danger"
  readonly icon?: readonly string[]
  readonly isBusy?: boolean
  /** Name of a button that shows its icon alone; also its tooltip. */
  readonly iconName?: string
  readonly children?: ComponentChildren
}

export function Button(props: ButtonProps) {
  const { kind = "normal", icon, isBusy = false, iconName, children, onClick, ...others } = props
  const isIconAlone = iconName !== undefined
  return (
    <button
      type="button"
      {...others}
      class={classNames(style["button"], style[kind], isIconAlone && style["iconAlone"])}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      aria-label={iconName ?? others["aria-label"]}
      title={iconName ?? others.title}
      onClick={isBusy ? undefined : onClick}
    >
      {icon !== undefined && <Icon paths={icon} />}
      {children}
    </button>
  )
}

interface LinkButtonProps {
  readonly href: string
  readonly kind?: ButtonProps["kind"]
  readonly icon?: readonly string[]
  readonly children: ComponentChildren
}

/** A link that looks like a button. */
export function LinkButton({ href, kind = "normal", icon, children }: LinkButtonProps) {
  return (
    <a href={href} class={classNames(style["button"], style[kind])}>
      {icon !== undefined && <Icon paths={icon} />}
      {children}
    </a>
  )
}
