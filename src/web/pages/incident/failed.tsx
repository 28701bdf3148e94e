/** A part of the page that could not be loaded; the others stay. */

import { LoadFailed } from "../../parts/states.tsx"
import { text } from "./text.ts"

interface FailedPartProps {
  /** Null shows nothing. */
  readonly error: Error | null
  readonly onRetry: () => void
}

export function FailedPart({ error, onRetry }: FailedPartProps) {
  return (
    <LoadFailed error={error} title={text.loadFailed} retryText={text.retry} onRetry={onRetry} />
  )
}
