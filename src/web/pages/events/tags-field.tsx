/** The tags of an annotation as pills, and a field for one more, which Enter adds. */

import type { TargetedKeyboardEvent } from "preact"
import { Button } from "../../parts/button.tsx"
import { TextField } from "../../parts/field.tsx"
import { TagList } from "../../parts/tags/tag-list.tsx"
import { withTypedTag, type AnnotationFields } from "./annotation-form.ts"
import style from "./events.module.css"
import { text } from "./text.ts"

export function TagsField({ form, problems, change }: AnnotationFields) {
  const { tags, tag } = form
  const isTyped = tag.trim() !== ""
  const add = (): void => {
    if (isTyped) change({ tags: withTypedTag(form), tag: "" })
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.key !== "Enter" || !isTyped || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    add()
  }
  const remove = (removed: string): void => change({ tags: tags.filter((one) => one !== removed) })
  return (
    <>
      <div class={style["newTag"]} onKeyDown={onKeyDown}>
        <TextField
          label={text.tag}
          hint={text.tagHint}
          value={tag}
          onValue={(typed) => change({ tag: typed })}
          error={problems.tag ?? null}
        />
        <Button onClick={add}>{text.addTag}</Button>
      </div>
      <TagList label={text.tags} tags={tags} remove={{ name: text.removeTag, run: remove }} />
    </>
  )
}
