/** In the place of a page whose code could not be loaded. */

import { useEffect } from "preact/hooks"
import { Problem } from "../../parts/states.tsx"
import { useApp } from "../app.ts"
import { useOnReturn } from "../live/use-live.ts"
import { text } from "./text.ts"
import { useDocumentReload } from "./use-document-reload.ts"

interface FailedPageProps {
  /** Whether the document has shown a page before. */
  readonly hasShown: boolean
}

/** Loads the document again as soon as the server is there. */
export function FailedPage({ hasShown }: FailedPageProps) {
  const { build } = useApp()
  const retry = useDocumentReload()
  useEffect(() => {
    // A document whose first page fails waits: it might be loaded again without an end.
    if (hasShown) void build.reload()
  }, [])
  useOnReturn(() => void build.reload())
  return <Problem title={text.loadFailed} sentences={[]} retryText={text.retry} onRetry={retry} />
}
