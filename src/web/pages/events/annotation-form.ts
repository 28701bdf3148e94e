/** An annotation as it is typed: what is sent, and why a field cannot be sent. */

import type { Annotation } from "../../api/event/event-answer.ts"
import { timeText, type TimeStyle } from "../../format/times.ts"
import { parseDayTime, parseTime, type TimeContext } from "../../url/time-range.ts"
import { text } from "./text.ts"

export interface AnnotationForm {
  readonly title: string
  readonly message: string
  /** Texts of the time picker, or such as `yesterday 14:00`; no end if it is empty. */
  readonly start: string
  readonly end: string
  /** An id or FQN; empty: the annotation is about everything. */
  readonly element: string
  /** Such as `stage:production`. */
  readonly tags: readonly string[]
  /** One more that is typed; none if it is empty. */
  readonly tag: string
}

export const emptyAnnotation: AnnotationForm = {
  title: "",
  message: "",
  start: "now",
  end: "",
  element: "",
  tags: [],
  tag: "",
}

export type FieldProblems = { readonly [Field in keyof AnnotationForm]?: string }

/** The state of the form, as its fields show and change it. */
export interface AnnotationFields {
  readonly form: AnnotationForm
  readonly problems: FieldProblems
  readonly change: (changes: Partial<AnnotationForm>) => void
}

export interface ReadForm {
  /** Null if a field has a problem. */
  readonly annotation: Annotation | null
  readonly problems: FieldProblems
}

interface FormContext {
  readonly style: TimeStyle
  /** By the server's clock. */
  readonly nowMs: number
}

export function readAnnotationForm(form: AnnotationForm, context: FormContext): ReadForm {
  const [title = "", message = "", elementId = ""] = [form.title, form.message, form.element].map(
    (one) => one.trim(),
  )
  const { startMs, endMs, problems: times } = readTimes(form, context)
  const tags = withTypedTag(form).map(tagOf)
  const problems: FieldProblems = {
    ...(title === "" && { title: text.needsTitle }),
    ...times,
    ...(tags.some(({ name }) => name === "") && { tag: text.needsTagName }),
  }
  const isRight = startMs !== undefined && Object.keys(problems).length === 0
  if (!isRight) return { annotation: null, problems }
  const annotation = {
    title,
    timestamp: isoText(startMs),
    ...(message !== "" && { message }),
    ...(elementId !== "" && { elementId }),
    ...(endMs !== undefined && { endTime: isoText(endMs) }),
    ...(tags.length > 0 && { tags }),
  }
  return { annotation, problems }
}

/** Its tags with the one that is typed; each once. */
export function withTypedTag({ tags, tag }: AnnotationForm): readonly string[] {
  const typed = tag.trim()
  return typed === "" ? tags : [...new Set([...tags, typed])]
}

interface ReadTimes {
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  readonly problems: FieldProblems
}

function readTimes({ start, end }: AnnotationForm, { style, nowMs }: FormContext): ReadTimes {
  const context: TimeContext = { nowMs, zone: style.zone }
  const startMs = parseDayTime(start, context)
  const hasEnd = end.trim() !== ""
  const endMs = hasEnd ? (parseTime(end, "end", context) ?? parseDayTime(end, context)) : undefined
  const isReversed = startMs !== undefined && endMs !== undefined && endMs < startMs
  return {
    startMs,
    endMs,
    problems: {
      ...(startMs === undefined && { start: text.notTime(start.trim()) }),
      ...(hasEnd && endMs === undefined && { end: text.notTime(end.trim()) }),
      ...(isReversed && {
        end: text.endsBefore(timeText(endMs, style, true), timeText(startMs, style, true)),
      }),
    },
  }
}

const isoText = (ms: number): string => new Date(ms).toISOString()

/** `stage:production` is a name and a value, `canary` a name alone. */
function tagOf(given: string): { name: string; value: string } {
  const at = given.indexOf(":")
  if (at < 0) return { name: given.trim(), value: "" }
  return { name: given.slice(0, at).trim(), value: given.slice(at + 1).trim() }
}

/** Fields of the body of the call, and those of the form. */
const fieldsOfBody: Readonly<Record<string, keyof AnnotationForm>> = {
  title: "title",
  message: "message",
  timestamp: "start",
  endTime: "end",
  elementId: "element",
  tags: "tag",
}

/** Why a call failed (api/client.ts). */
export interface CallFailure {
  /** Null if the server did not answer. */
  readonly status: number | null
  readonly sentences: readonly string[]
}

/** The sentences by the field that each names; one that names none is the title's. */
export function refusedFields({ status, sentences }: CallFailure): FieldProblems {
  // The only thing that a call can miss is its element.
  if (status === 404) return { element: sentences.join(" ") }
  const problems: Partial<Record<keyof AnnotationForm, string>> = {}
  for (const sentence of sentences) {
    const [, name = "", rest = sentence] = /^(?:body\.)?(\w+)[^:]*: (.*)$/.exec(sentence) ?? []
    const field = fieldsOfBody[name]
    const said = field === undefined ? sentence : text.refused(rest)
    problems[field ?? "title"] ??= said
  }
  return problems
}
