/** The facts about an element: names, attributes, and tags, which people add and remove. */

import cross from "heroicons/20/solid/x-mark.svg"
import { useState } from "preact/hooks"
import type { Element } from "../../api/element.ts"
import { tagText } from "../../api/element-words.ts"
import { changeElements, type BulkChange } from "../../api/elements.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { mayWrite } from "../../frame/session/session.ts"
import { Button } from "../../parts/button.tsx"
import { TextField } from "../../parts/field.tsx"
import style from "./element.module.css"
import { Facts } from "./facts.tsx"
import { text } from "./text.ts"

interface DetailsTabProps {
  readonly element: Element
  readonly onChanged: () => void
}

export function DetailsTab({ element, onChanged }: DetailsTabProps) {
  const { fqn, id, type, location, attributes } = element
  const facts = [
    [text.fqn, fqn],
    [text.id, id],
    [text.type, type],
    [text.location, location ?? text.noValue],
  ] as const
  return (
    <div class={style["part"]}>
      <Facts facts={facts} />
      <h2>{text.tags}</h2>
      <Tags element={element} onChanged={onChanged} />
      <h2>{text.attributes}</h2>
      {attributes.length === 0 ? (
        <p class="secondary">{text.noAttributes}</p>
      ) : (
        <Facts facts={attributes.map(({ name, value }) => [name, value])} />
      )}
    </div>
  )
}

function Tags({ element, onChanged }: DetailsTabProps) {
  const { api, session, toasts } = useApp()
  const { fqn, tags } = element
  const canChange = mayWrite(session.user)
  const change = (what: BulkChange): void => {
    changeElements(api, { fqns: [fqn] }, what).then(
      ({ failed: [failure] }) => {
        if (failure !== undefined) return toasts.show(failure.error, "error")
        toasts.show(text.changed)
        onChanged()
      },
      (error: Error) => toasts.show(error.message, "error"),
    )
  }
  return (
    <>
      {tags.length === 0 && <p class="secondary">{text.noTags}</p>}
      <ul class={style["others"]} aria-label={text.tags}>
        {tags.map((tag) => (
          <li key={tagText(tag)}>
            <span dir="auto">{visibleText(tagText(tag))}</span>
            {!tag.isOwn ? (
              <span class="secondary">{text.posted}</span>
            ) : (
              canChange && (
                <Button
                  kind="quiet"
                  icon={cross}
                  iconName={text.removeTag(visibleText(tag.name))}
                  onClick={() => change({ action: "removeTags", tags: [{ name: tag.name }] })}
                />
              )
            )}
          </li>
        ))}
      </ul>
      {canChange && <NewTag onAdd={(tag) => change({ action: "setTags", tags: [tag] })} />}
    </>
  )
}

interface NewTagProps {
  readonly onAdd: (tag: { readonly name: string; readonly value: string }) => void
}

function NewTag({ onAdd }: NewTagProps) {
  const [name, setName] = useState("")
  const [value, setValue] = useState("")
  const [isMissing, setMissing] = useState(false)
  return (
    <form
      class={style["newTag"]}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === "") return setMissing(true)
        onAdd({ name: name.trim(), value })
        setName("")
        setValue("")
        setMissing(false)
      }}
    >
      <TextField
        label={text.tagName}
        value={name}
        onValue={setName}
        error={isMissing && name.trim() === "" ? text.needsName : null}
      />
      <TextField label={text.tagValue} value={value} onValue={setValue} />
      <Button type="submit">{text.addTag}</Button>
    </form>
  )
}
