/** The value, or the bound that it exceeds. */
export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value
}
