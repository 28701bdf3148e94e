/** Words of tables of many rows. */

export const text = {
  sortBy: (column: string) => `Sort by ${column}`,
  sorted: "Sort by",
  orderOf: (column: string, order: string) => `${column}, ${order}`,
  arrow: (isDescending: boolean) => (isDescending ? "↓" : "↑"),
  directions: (isDescending: boolean) =>
    isDescending ? "Descending: sort ascending" : "Ascending: sort descending",
  select: (name: string) => `Select ${name}`,
  selectShown: "Select all that pass",
  newestCount: "there are more: the newest are counted",
  keys: { next: "Next row", previous: "Previous row", select: "Select row", search: "Search" },
}
