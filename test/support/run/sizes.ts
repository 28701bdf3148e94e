/**
 * How much a law is tried. `npm test` runs its quick size; `npm run test:long` runs the files that
 * import this module again, with the long one. What needs minutes to say anything is in the long
 * size only.
 */

/** Set by test/run.ts. */
export const sizeVariable = "TIDEGAUGE_TEST_SIZE"

export const isLongRun = process.env[sizeVariable] === "long"

export function sized<Size>({ quick, long }: { readonly quick: Size; readonly long: Size }): Size {
  return isLongRun ? long : quick
}
