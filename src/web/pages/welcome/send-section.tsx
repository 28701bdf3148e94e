/** The second step: a key, and texts to paste for each way to send data. */

import { useState } from "preact/hooks"
import type { MadeKey } from "../../api/first-steps.ts"
import { useApp } from "../../frame/app.ts"
import { copyAndTell } from "../../frame/copy.ts"
import { Button } from "../../parts/button.tsx"
import { Tabs } from "../../parts/tabs.tsx"
import { servicePath, serviceUrl } from "../../platform/location.ts"
import { KeysSection } from "./keys-section.tsx"
import { servedSnippets, type Snippet } from "./snippets.ts"
import { text } from "./text.ts"
import style from "./welcome.module.css"

interface SendSectionProps {
  readonly title: string
  readonly protocols: readonly string[]
  /** Null: the address of the page is the server's. */
  readonly baseUrl: string | null
  readonly mayMakeKeys: boolean
}

export function SendSection({ title, protocols, baseUrl, mayMakeKeys }: SendSectionProps) {
  const [made, setMade] = useState<MadeKey | null>(null)
  const [shown, setShown] = useState<Snippet["name"]>("curl")
  const served = servedSnippets(protocols)
  const snippet = served.find(({ name }) => name === shown) ?? served[0]
  const url = baseUrl ?? serviceUrl()
  return (
    <section class={style["section"]}>
      <h2>{title}</h2>
      {mayMakeKeys ? (
        <KeysSection made={made} onMade={setMade} />
      ) : (
        <p class="secondary">{text.askAdministrator}</p>
      )}
      {snippet !== undefined && (
        <Tabs
          label={text.ways}
          tabs={served.map((one) => ({ name: one.name, text: one.title }))}
          shown={snippet.name}
          onShow={setShown}
        >
          <Code
            where={snippet.where}
            code={snippet.code({ url: url.replace(/\/$/, ""), key: made?.apiKey ?? text.keyOf })}
            label={snippet.title}
          />
        </Tabs>
      )}
      <a href={`${servicePath()}/docs/collectors`} target="_blank" rel="noreferrer">
        {text.handbook}
      </a>
    </section>
  )
}

interface CodeProps {
  readonly where: string
  readonly code: string
  readonly label: string
}

function Code({ where, code, label }: CodeProps) {
  const { toasts } = useApp()
  const words = { done: text.copied, failed: text.notCopied }
  return (
    <div class={style["code"]}>
      <div class={style["codeHead"]}>
        <p class="secondary">{where}</p>
        <Button onClick={() => void copyAndTell(toasts, code, words)}>{text.copy}</Button>
      </div>
      <pre class={style["block"]} tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  )
}
