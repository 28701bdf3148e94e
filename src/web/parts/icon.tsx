/** Icon: a 20 px symbol next to a word, hidden from screen readers, which read the word. */

import style from "./icon.module.css"

export interface IconProps {
  readonly paths: readonly string[]
  readonly size?: 16 | 20 | 24
}

export function Icon({ paths, size = 20 }: IconProps) {
  return (
    <svg
      class={style["icon"]}
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      {paths.map((path) => (
        <path key={path} d={path} fill-rule="evenodd" clip-rule="evenodd" />
      ))}
    </svg>
  )
}
