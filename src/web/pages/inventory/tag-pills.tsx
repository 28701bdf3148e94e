/** Tags as pills on one line: whole ones, and the number of those that have no room. */

import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { visibleText } from "../../format/visible-text.ts"
import style from "./inventory.module.css"
import { text } from "./text.ts"

export function TagPills({ tags }: { readonly tags: readonly string[] }) {
  const list = useRef<HTMLSpanElement>(null)
  const hidden = useHiddenCount(list, tags.join("\n"))
  return (
    <span class={style["tagLine"]} title={visibleText(tags.join(", "))}>
      <span ref={list} class={style["tagList"]}>
        {tags.map((tag) => (
          <span key={tag} class={style["tag"]} dir="auto">
            {visibleText(tag)}
          </span>
        ))}
      </span>
      {hidden > 0 && <span class="secondary">{text.moreTags(hidden)}</span>}
    </span>
  )
}

/** How many children of an element are below its first line. `key` changes with them. */
function useHiddenCount(list: { readonly current: HTMLElement | null }, key: string): number {
  const [hidden, setHidden] = useState(0)
  useLayoutEffect(() => {
    const element = list.current!
    const measure = (): void => {
      const pills = [...element.children] as HTMLElement[]
      const top = pills[0]?.offsetTop ?? 0
      setHidden(pills.filter(({ offsetTop }) => offsetTop > top).length)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [key])
  return hidden
}
