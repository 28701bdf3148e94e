/** Properties of a view of Explore that is a list. */

import type { PageRange } from "../../frame/range/ranges.ts"
import type { AnswerLines } from "./lines.ts"

export interface ListViewProps {
  readonly lines: AnswerLines
  readonly range: PageRange
}
