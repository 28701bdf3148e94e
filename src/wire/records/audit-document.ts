/** An entry of the security log as administrators read it. */

import { formatInstant } from "../../base/iso8601.ts"
import { auditKinds, type AuditEntry } from "../../model/records/audit.ts"
import { instant, oneOf, orNull, record, text, described, uuid } from "../answer.ts"
import { wholeNumber, type Written } from "../answer.ts"

export const auditRecord = record({
  id: uuid,
  time: described(instant, "When it first happened"),
  lastTime: described(instant, "When it last happened, within the same minute"),
  kind: oneOf(auditKinds),
  user: described(orNull(text), "E-mail of a user that exists"),
  address: described(orNull(text), "IPv4 address or IPv6 /64; null for a command"),
  detail: text,
  count: described(wholeNumber, "How often it happened"),
})

export function auditDocument(entry: AuditEntry): Written<typeof auditRecord> {
  const { id, timeMs, lastMs, kind, user, address, detail, count } = entry
  return {
    id: id.slice(id.indexOf(":") + 1),
    time: formatInstant(timeMs),
    lastTime: formatInstant(lastMs),
    kind,
    user,
    address,
    detail,
    count,
  }
}
