/** The dialog that writes an annotation: when it was, about an element or about everything. */

import { useState } from "preact/hooks"
import type { Annotation } from "../../api/event/event-answer.ts"
import { ApiError } from "../../api/client.ts"
import { annotate } from "../../api/events.ts"
import { timeText } from "../../format/times.ts"
import { useApp } from "../../frame/app.ts"
import { TimeField } from "../../frame/range/time-field.tsx"
import formStyle from "../../frame/rows/bulk.module.css"
import { Button } from "../../parts/button.tsx"
import { Dialog, DialogActions } from "../../parts/dialog.tsx"
import { TextField } from "../../parts/field.tsx"
import {
  emptyAnnotation,
  readAnnotationForm,
  refusedFields,
  type AnnotationFields,
  type AnnotationForm,
  type CallFailure,
  type FieldProblems,
} from "./annotation-form.ts"
import { ElementField } from "./element-field.tsx"
import style from "./events.module.css"
import { TagsField } from "./tags-field.tsx"
import { text } from "./text.ts"

/** As many characters as the server takes. */
const lengthMax = { title: 200, message: 4_000 }

export interface AnnotationDialogProps {
  readonly onClose: () => void
  readonly onWritten: () => void
}

export function AnnotationDialog({ onClose, onWritten }: AnnotationDialogProps) {
  const { toasts, ranges } = useApp()
  const { style: times, range } = ranges.current.value
  const written = ({ timestamp }: Annotation): void => {
    const ms = Date.parse(timestamp)
    toasts.show(ms < range.startMs ? text.writtenBefore(timeText(ms, times)) : text.written)
    onClose()
    onWritten()
  }
  const { isBusy, submit, ...fields } = useAnnotationForm(written)
  return (
    <Dialog title={text.writeTitle} closeName={text.close} onClose={onClose}>
      <form
        class={formStyle["form"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) submit()
        }}
      >
        <Fields {...fields} />
        <DialogActions>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {text.writeNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function useAnnotationForm(onWritten: (annotation: Annotation) => void) {
  const { api, clock, ranges } = useApp()
  const [form, setForm] = useState(emptyAnnotation)
  const [problems, setProblems] = useState<FieldProblems>({})
  const [isBusy, setBusy] = useState(false)
  const submit = (): void => {
    const { annotation, problems: found } = readAnnotationForm(form, {
      style: ranges.current.peek().style,
      nowMs: clock.nowMs(),
    })
    setProblems(found)
    if (annotation === null) return
    setBusy(true)
    annotate(api, annotation)
      .then(
        () => onWritten(annotation),
        (error: Error) => setProblems(refusedFields(failureOf(error))),
      )
      .finally(() => setBusy(false))
  }
  const change = (changes: Partial<AnnotationForm>): void => {
    setForm({ ...form, ...changes })
    // The problem of a text is none of another text.
    const rest = Object.entries(problems).filter(([field]) => !(field in changes))
    setProblems(Object.fromEntries(rest))
  }
  return { form, problems, change, isBusy, submit }
}

function failureOf(error: Error): CallFailure {
  return error instanceof ApiError ? error : { status: null, sentences: [error.message] }
}

function Fields({ form, problems, change }: AnnotationFields) {
  const { zone } = useApp().ranges.current.value.style
  return (
    <>
      <TextField
        label={text.writeField}
        value={form.title}
        onValue={(title) => change({ title })}
        maxLength={lengthMax.title}
        error={problems.title ?? null}
      />
      <TextField
        label={text.message}
        value={form.message}
        onValue={(message) => change({ message })}
        maxLength={lengthMax.message}
        error={problems.message ?? null}
      />
      <div class={style["times"]}>
        <TimeField
          label={text.start}
          value={form.start}
          onValue={(start) => change({ start })}
          error={problems.start ?? null}
        />
        <TimeField
          label={text.end}
          value={form.end}
          onValue={(end) => change({ end })}
          error={problems.end ?? null}
        />
        <p class={style["hint"]}>{text.timesHint(zone.name)}</p>
      </div>
      <ElementField
        value={form.element}
        onValue={(element) => change({ element })}
        error={problems.element ?? null}
      />
      <TagsField {...{ form, problems, change }} />
    </>
  )
}
