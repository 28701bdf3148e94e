/** Words of the inventory, in English. */

import type { Level } from "../../api/element-words.ts"

const number = new Intl.NumberFormat("en-US")
const counted = (count: number, one: string, many: string) =>
  `${number.format(count)} ${count === 1 ? one : many}`

export const text = {
  title: "Inventory",
  table: "Elements",
  loading: "Loading elements",
  loadFailed: "The elements could not be loaded",
  retry: "Retry",
  refetch: "Load again",
  none: "No element has sent data yet. It appears here with its first sample.",
  nonePasses: "No element passes this filter.",
  removeTerm: (term: string) => `Remove ${term}`,
  removeLevels: "Show every level",
  total: (count: number) => counted(count, "element", "elements"),
  levels: {
    ok: "OK",
    info: "Info",
    warning: "Warning",
    critical: "Critical",
    noData: "No data",
    maintenance: "Maintenance",
  } satisfies Record<Level, string>,
  levelsLabel: "Levels",
  level: "Level",
  name: "Name",
  type: "Type",
  location: "Location",
  collected: "Collected",
  alerts: "Open alerts",
  lastSeen: "Last seen",
  tags: "Tags",
  noValue: "–",
  never: "none in 14 days",
  selected: (count: number) => `${number.format(count)} selected`,
  selectAll: (count: number) => `Select all ${number.format(count)} that pass`,
  clearSelection: "Clear",
  maintenance: "Maintenance",
  maintenanceFor: { hour: "For an hour", four: "For 4 hours", day: "For a day", open: "No end" },
  stopMaintenance: "Stop",
  tag: "Tag…",
  tagTitle: (count: number) => `Tags of ${counted(count, "element", "elements")}`,
  tagName: "Name",
  tagValue: "Value",
  setTag: "Set tag",
  removeTag: "Remove tag",
  needsName: "A tag needs a name.",
  delete: "Delete…",
  deleteTitle: (count: number) => `Delete ${counted(count, "element", "elements")}?`,
  deleteText:
    "Their values are kept. An element is back with its metrics as soon as it is posted again.",
  deleteNow: "Delete",
  cancel: "Cancel",
  close: "Close",
  changed: (count: number) => `Changed ${counted(count, "element", "elements")}`,
  failed: (count: number, reason: string) =>
    `${counted(count, "element", "elements")} could not be changed: ${reason}`,
}
