/** Words of marks, in English. */

import { counted } from "../../format/words.ts"

export const text = {
  event: "Event",
  marked: (events: number, marks: number) =>
    events === marks
      ? counted(events, "event", "events")
      : `${counted(events, "event", "events")} in ${counted(marks, "mark", "marks")}`,
  eventsAt: (time: string, titles: readonly string[], more: number) =>
    `${time} ${titles.join(", ")}${more === 0 ? "" : `, and ${more} more`}`,
}
