/** Words of notes that several pages have. */

export const text = {
  range: "time range",
  broken: (names: readonly string[]) =>
    `Parts of this link could not be read and are left out: ${names.join(", ")}`,
}
