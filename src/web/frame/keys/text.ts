/** Words of the overview of keys, in English. */

export const text = {
  title: "Keys",
  close: "Close",
  groups: {
    everywhere: "Everywhere",
    page: "This page",
    list: "Lists",
    chart: "Chart with focus",
  },
  keysOff: "Single letters are switched off in your profile.",
}
