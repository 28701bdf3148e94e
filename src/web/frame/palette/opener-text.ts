/** Words of the button that opens the palette and of its field, in English. */

export const text = {
  title: "Search or jump",
  opener: "Search or jump…",
  key: "Search or jump",
  close: "Close",
  placeholder: "Search elements, metrics, tags and commands",
}
