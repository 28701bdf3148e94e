/** Words of the page of events, in English. */

import { counted, wholeText } from "../../format/words.ts"
import { levelWords } from "../../parts/level-words.ts"

const events = (count: number) => counted(count, "event", "events")

export const text = {
  title: "Events",
  list: "Events",
  loading: "Loading events",
  loadFailed: "The events could not be loaded",
  retry: "Retry",
  search: "Title, message, policy or element",
  levelsLabel: "Levels",
  levels: levelWords,
  total: events,
  histogram: (total: number, step: string) => `${events(total)}, a bar for each ${step}`,
  none: "No event in this range of time.",
  nonePasses: "No event of this range passes this search and these levels.",
  longer: "Show the last 7 days",
  clear: "Clear search and levels",
  changedMeanwhile: "There are new events: show them",
  everything: "everything",
  elements: (count: number, isCut: boolean) =>
    isCut ? `${wholeText(count)} elements or more` : counted(count, "element", "elements"),
  firingsOf: (policy: string) => `Events of ${policy}`,
  noValue: "–",
  older: "Show older events",
  tooMany: (count: number) => `The newest ${wholeText(count)} are shown: narrow the range.`,
  write: "Write an annotation…",
  writeTitle: "Write an annotation",
  writeField: "Title",
  needsTitle: "An annotation needs a title.",
  message: "Message (optional)",
  element: "Element (optional)",
  elementHint: "Its id or FQN. Without one the annotation is about everything.",
  writeNow: "Write",
  cancel: "Cancel",
  close: "Close this window",
  written: "The annotation is written",
  keys: { next: "Next event", previous: "Previous event" },
}
