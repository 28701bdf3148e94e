/** States of what is loaded: nothing there, an error, the first load. */

import type { ComponentChildren } from "preact"
import { Button } from "./button.tsx"
import style from "./states.module.css"

export interface EmptyProps {
  /** Why there is nothing. */
  readonly reason: string
  /** The next step: links or buttons. */
  readonly children?: ComponentChildren
}

export function Empty({ reason, children }: EmptyProps) {
  return (
    <div class={style["state"]}>
      <p>{reason}</p>
      {children !== undefined && <div class={style["actions"]}>{children}</div>}
    </div>
  )
}

export interface ProblemProps {
  readonly title: string
  /** Problems that the server reports, one sentence each. */
  readonly sentences: readonly string[]
  readonly retryText: string
  readonly onRetry: () => void
}

/** An error in the place of what it prevented; the rest of the page stays. */
export function Problem({ title, sentences, retryText, onRetry }: ProblemProps) {
  return (
    <div class={style["state"]} role="alert">
      <p class={style["title"]}>{title}</p>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <div class={style["actions"]}>
        <Button onClick={onRetry}>{retryText}</Button>
      </div>
    </div>
  )
}

export interface LoadFailedProps extends Pick<ProblemProps, "title" | "retryText" | "onRetry"> {
  /** Of the last load; null if it succeeded: then nothing is shown. */
  readonly error: Error | null
}

/** Why something could not be loaded. */
export function LoadFailed({ error, ...rest }: LoadFailedProps) {
  return error === null ? null : <Problem sentences={[error.message]} {...rest} />
}

export interface SkeletonProps {
  /** For screen readers. */
  readonly text: string
  readonly rows?: number
}

/** Grey rows at the first load alone. */
export function Skeleton({ text, rows = 6 }: SkeletonProps) {
  return (
    <div class={style["skeleton"]} role="status">
      <span class="visually-hidden">{text}</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} class={style["bone"]} />
      ))}
    </div>
  )
}
