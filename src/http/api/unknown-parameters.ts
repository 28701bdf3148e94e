/** Refuses unknown query parameters, since a mistyped filter would not filter. */

import { Problems, didYouMean, shown } from "../../wire/problems.ts"
import type { Access, Call, Operation } from "../shared/route.ts"

/** Collectors, scrapers and load balancers may add parameters, which are ignored. */
const lenient: readonly Access[] = ["key", "anyone", "local"]

/** Throws `invalid` with all parameters that the operation does not declare. */
export function refuseUnknownParameters(
  { access, parameters = [] }: Operation,
  query: Call["query"],
): void {
  if (lenient.includes(access)) return
  const known = parameters.flatMap((one) => (one.in === "query" ? [one.name] : []))
  const problems = new Problems()
  for (const name of Object.keys(query)) {
    if (!known.includes(name))
      problems.add(`${shown(name)} is no parameter here${hint(name, known)}`)
  }
  problems.throwIfAny()
}

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return "; there is none"
  return didYouMean(name, known) || `; expected one of ${known.join(", ")}`
}
