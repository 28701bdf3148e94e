/** Words of the overview of keys, in English. */

import type { KeyGroupName } from "./key-groups.ts"

export const text = {
  title: "Keys",
  close: "Close",
  groups: {
    everywhere: "Everywhere",
    page: "This page",
    chart: "Chart with focus",
    list: "Lists",
    go: "Go to a page",
  } satisfies Record<KeyGroupName, string>,
  or: "or",
  keysOff: "Single letters are switched off in your profile.",
}
