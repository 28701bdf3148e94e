/** The heading of the elements of a type: their number, and the metric that is shown. */

import { countText } from "../../format/numbers.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import style from "./home.module.css"

interface GroupHeadingProps {
  readonly type: string
  readonly total: number
  /** Null if no values are shown. */
  readonly metric?: string | null
}

export function GroupHeading({ type, total, metric = null }: GroupHeadingProps) {
  const numbers = useApp().preferences.numberStyle.value
  return (
    <div class={style["head"]}>
      <h3 dir="auto">
        {visibleText(type)} <span class="secondary">{countText(total, numbers)}</span>
      </h3>
      {metric !== null && (
        <span class={style["metric"]} dir="auto">
          {visibleText(metric)}
        </span>
      )}
    </div>
  )
}
