/** Words of marks, in English. */

export const text = {
  event: "Event",
  eventsAt: (time: string, titles: readonly string[], more: number) =>
    `${time} ${titles.join(", ")}${more === 0 ? "" : `, and ${more} more`}`,
}
