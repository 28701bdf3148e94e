/** Names with their values. */

import { visibleText } from "../../format/visible-text.ts"
import style from "./element.module.css"

interface FactsProps {
  readonly facts: readonly (readonly [string, string])[]
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl class={style["list"]}>
      {facts.map(([name, value]) => (
        <div key={name} class={style["fact"]}>
          <dt dir="auto">{visibleText(name)}</dt>
          <dd dir="auto">{visibleText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
