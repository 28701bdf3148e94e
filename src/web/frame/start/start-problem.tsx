/** In the place of all pages while the server does not answer the first call. */

import { ApiError, ConnectionError } from "../../api/client.ts"
import { Button } from "../../parts/button.tsx"
import { serviceUrl } from "../../platform/location.ts"
import { Product } from "../product/product.tsx"
import type { StartAttempts } from "./start-attempts.ts"
import style from "./start-problem.module.css"
import { text } from "./text.ts"

export function StartProblem({ attempts }: { readonly attempts: StartAttempts }) {
  const state = attempts.state.value
  if (state === null) return null
  const { failure, secondsLeft } = state
  const { title, sentences } = wordsOf(failure)
  return (
    <main id="page" class={style["page"]}>
      <p class={style["product"]}>
        <Product />
      </p>
      <div role="alert" class={style["words"]}>
        <h1>{title}</h1>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <p class={style["address"]}>{text.server(serviceUrl())}</p>
      <p class="secondary">{secondsLeft === null ? text.trying : text.next(secondsLeft)}</p>
      <div>
        <Button isBusy={secondsLeft === null} onClick={attempts.retry}>
          {text.retryNow}
        </Button>
      </div>
    </main>
  )
}

interface Words {
  readonly title: string
  readonly sentences: readonly string[]
}

function wordsOf(failure: Error | null): Words {
  if (failure === null) return { title: text.noAnswer, sentences: [] }
  if (failure instanceof ConnectionError) return { title: failure.message, sentences: [] }
  if (!(failure instanceof ApiError)) return { title: text.failed, sentences: [failure.message] }
  const title = text.answered(failure.status)
  return { title, sentences: failure.sentences.filter((sentence) => sentence !== title) }
}
