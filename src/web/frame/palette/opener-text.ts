/** Words of the button that opens the palette, in English. */

export const text = {
  title: "Search or jump",
  opener: "Search or jump…",
  key: "Search or jump",
  close: "Close",
}
