/** A part of the page that could not be loaded; the others stay. */

import { Problem } from "../../parts/states.tsx"
import { text } from "./text.ts"

interface FailedProps {
  readonly error: Error
  readonly onRetry: () => void
}

export function Failed({ error, onRetry }: FailedProps) {
  return (
    <Problem
      title={text.loadFailed}
      sentences={[error.message]}
      retryText={text.retry}
      onRetry={onRetry}
    />
  )
}
