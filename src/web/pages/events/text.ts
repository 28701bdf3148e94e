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
  policySource: "policy",
  firingsOf: (policy: string) => `Events of ${policy}`,
  noValue: "–",
  older: "Show older events",
  tooMany: (count: number) => `The newest ${wholeText(count)} are shown: narrow the range.`,
  write: "Write an annotation…",
  writeTitle: "Write an annotation",
  writeField: "Title",
  needsTitle: "An annotation needs a title.",
  message: "Message (optional)",
  start: "Start",
  end: "End (optional)",
  timesHint: (zone: string) =>
    `now, now-1d, 14:05, yesterday 14:05, 2026-11-20 14:05 or an ISO time; in the zone ${zone}`,
  notTime: (given: string) =>
    given === "" ? "An annotation needs a start." : `“${given}” is no time that can be read.`,
  endsBefore: (end: string, start: string) => `The end, ${end}, is before the start, ${start}.`,
  element: "Element (optional)",
  elementHint: "A part of its name, or its id or FQN. Without one it is about everything.",
  searching: "Searching",
  elementsFound: (shown: number, total: number) =>
    shown === total
      ? counted(total, "element", "elements")
      : `${wholeText(shown)} of ${counted(total, "element", "elements")}`,
  tag: "Tag (optional)",
  tagHint: "Such as stage:production, a name and a value",
  addTag: "Add tag",
  tags: "Tags",
  removeTag: (tag: string) => `Remove tag ${tag}`,
  needsTagName: "A tag needs a name before its colon.",
  refused: (reason: string) => `The server refuses it: ${reason}`,
  writeNow: "Write",
  cancel: "Cancel",
  close: "Close this window",
  written: "The annotation is written",
  writtenBefore: (time: string) =>
    `The annotation is written. Its time, ${time}, is before the range that is shown.`,
  until: (time: string) => `until ${time}`,
  keys: { next: "Next event", previous: "Previous event" },
}
