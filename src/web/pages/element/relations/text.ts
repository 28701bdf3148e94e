/** Words of the relations of an element, in English. */

import { counted, wholeText } from "../../../format/words.ts"
import { levelWords } from "../../../parts/level-words.ts"

export const text = {
  loading: "Loading the relations",
  steps: "Steps",
  stepsHint: "How many relations away an element may be",
  graph: "Relations as a graph",
  graphKeys: "Arrow keys move between the elements, Enter opens one, Home goes back to the first.",
  list: "Related elements",
  levels: levelWords,
  legend: "Arrows lead from a member to what it is a member of.",
  none: (name: string, steps: number) =>
    `No element is within ${counted(steps, "relation", "relations")} of ${name}. ` +
    "Collectors send relations with an element.",
  howToSend: "How elements are sent, with their relations",
  count: (drawn: number, total: number) =>
    drawn === total
      ? counted(total, "element", "elements")
      : `${wholeText(drawn)} of ${counted(total, "element", "elements")}`,
  cut: "The nearest are shown, the others are joined by type. Fewer steps show all.",
  cutWithin: "The nearest are shown, the others are joined by type.",
  joined: (count: number, type: string) => `${wholeText(count)} × ${type}`,
  joinedHint: (count: number, type: string) =>
    `${wholeText(count)} more of the type ${type} are related here`,
  stepsAway: (steps: number) => counted(steps, "step", "steps"),
  thisElement: "this element",
  memberOf: (names: readonly string[], more: number) =>
    `member of ${names.join(", ")}${more > 0 ? ` and ${wholeText(more)} more` : ""}`,
}
