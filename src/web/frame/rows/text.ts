/** Words of tables of many rows. */

export const text = {
  sortBy: (column: string) => `Sort by ${column}`,
  select: (name: string) => `Select ${name}`,
  selectShown: "Select all that pass",
  keys: { next: "Next row", previous: "Previous row", select: "Select row", search: "Search" },
}
