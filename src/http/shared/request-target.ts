/** The target of a request line, before it is read as a URL. */

import { invalid, ServiceError } from "../../base/errors.ts"
import { shown } from "../../wire/problems.ts"

/** A URL drops such a segment, and `..` the one before it; `%2e` is a dot there. */
const dotSegment = /(?:^|\/)((?:\.|%2e){1,2})(?:\/|$)/i

/**
 * Refuses a target that would become another one as a URL, since the request is then about another
 * thing: `DELETE /elements/web-1/tags/%2E%2E` would delete the element, and so would
 * `DELETE /elements/web-1#/tags/x`.
 */
export function refuseRewritten(target: string): void {
  const path = target.split("?", 1)[0]!
  if (path.includes("#")) throw invalid('Expected a path without "#"; "%23" is one in a name')
  const segment = dotSegment.exec(path)?.[1]
  if (segment === undefined) return
  throw new ServiceError("missing", `Expected no segment ${shown(segment)} in the path`)
}

const schemeAndHost = /^https?:\/\/[^/?#]*/i

/**
 * The target without the scheme and host that a client sends to a forward proxy, and some proxies
 * pass on (RFC 9112 §3.2.2).
 */
export function originForm(target: string): string {
  const rest = target.replace(schemeAndHost, "")
  return rest === target || rest.startsWith("/") ? rest : `/${rest}`
}
