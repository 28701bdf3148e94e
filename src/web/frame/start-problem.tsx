/** Shown in the place of all pages if the server does not answer the first call. */

import { Problem } from "../parts/states.tsx"
import { reload } from "../platform/location.ts"
import { text } from "./text.ts"

export function StartProblem({ sentence }: { readonly sentence: string }) {
  return (
    <main id="page">
      <h1 class="visually-hidden">{text.product}</h1>
      <Problem
        title={text.startFailed}
        sentences={[sentence]}
        retryText={text.retry}
        onRetry={reload}
      />
    </main>
  )
}
