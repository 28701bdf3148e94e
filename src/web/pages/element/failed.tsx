/** A part of the page that could not be loaded; the others stay. */

import { LoadFailed } from "../../parts/states.tsx"
import { text } from "./text.ts"

interface FailedProps {
  readonly error: Error
  readonly onRetry: () => void
}

export function Failed({ error, onRetry }: FailedProps) {
  return (
    <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={onRetry} />
  )
}
