/** Tags as pills, each with a button that removes it if they can be removed. */

import cross from "heroicons/20/solid/x-mark.svg"
import { visibleText } from "../../format/visible-text.ts"
import { Icon } from "../icon.tsx"
import style from "./tag-list.module.css"

export interface TagListProps {
  readonly label: string
  /** Such as `env:prod`. */
  readonly tags: readonly string[]
  readonly remove?: {
    readonly name: (tag: string) => string
    readonly run: (tag: string) => void
  }
}

/** Nothing without tags. */
export function TagList({ label, tags, remove }: TagListProps) {
  if (tags.length === 0) return null
  return (
    <ul class={style["tags"]} aria-label={label}>
      {tags.map((tag) => (
        <li key={tag} class={style["tag"]}>
          <span dir="auto">{visibleText(tag)}</span>
          {remove !== undefined && (
            <button
              type="button"
              class={style["remove"]}
              aria-label={remove.name(visibleText(tag))}
              onClick={() => remove.run(tag)}
            >
              <Icon paths={cross} size={16} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
