/** Records: what people create. The rooms of one server, put together. */

import { Boards } from "./dashboards/dashboards.ts"
import { Checks } from "./incidents/checks.ts"
import type { RecordsWorld } from "./core/record-collection.ts"
import { Datasources, type DatasourceKeys } from "./integrations/datasources.ts"
import { Events } from "./incidents/events.ts"
import { Findings, type Outbox, type WatchedElements } from "./incidents/incident-pipeline.ts"
import { Incidents } from "./incidents/incidents.ts"
import { Lapses } from "./incidents/check-monitor.ts"
import { Notifications } from "./integrations/notifications.ts"
import { OpenIncidents } from "./incidents/open-incidents.ts"
import { Policies } from "./incidents/policies.ts"
import { PostInbox } from "./incidents/group-commit.ts"
import { SecretBox } from "./secrets/secret-box.ts"

export interface RecordsOptions extends RecordsWorld {
  readonly keys: DatasourceKeys
  /** Of 32 bytes; secrets lie encrypted under it. */
  readonly secretKey: Uint8Array
  /** The UUID of a tenant by its index. */
  readonly tenantUuid: (tenant: number) => string
  /** How far from now the time of an external event may lie. */
  readonly acceptEvents: { readonly pastMs: number; readonly futureMs: number }
  /** External events that a tenant may send in a minute; any number where absent or 0. */
  readonly eventsPerMinute?: number
  /** What policies ask about elements. */
  readonly elements: WatchedElements
  readonly outbox: Outbox
}

export interface Records {
  readonly boards: Boards
  readonly datasources: Datasources
  readonly notifications: Notifications
  readonly policies: Policies
  readonly events: Events
  readonly incidents: Incidents
  readonly checks: Checks
  /** What policies find becomes events, incidents and notices here. */
  readonly findings: Findings
  /** Notices when a check lapses; whoever composes the server starts it. */
  readonly lapses: Lapses
  /** Under which secrets are sealed. */
  readonly box: SecretBox
  /** Where posts of events and checks wait for their commit. */
  readonly inbox: PostInbox
}

export function openRecords(options: RecordsOptions): Records {
  const { documents, clock, random, keys, secretKey, tenantUuid, acceptEvents } = options
  const world = { documents, clock, random }
  const box = new SecretBox(secretKey, random)
  const inbox = new PostInbox(documents)
  const policies = new Policies(world)
  const incidents = new Incidents(world)
  const open = new OpenIncidents(documents)
  const { elements, outbox, eventsPerMinute = 0 } = options
  const findings = new Findings({
    documents,
    clock,
    policies,
    incidents,
    open,
    elements,
    outbox,
    tenantUuid,
  })
  const lapses = new Lapses({ documents, clock, policies, findings })
  const onArmed = lapses.armed.bind(lapses)
  const posts = { documents, inbox, clock, random, tenantUuid }
  return {
    boards: new Boards(world),
    datasources: new Datasources({ world, keys, box }),
    notifications: new Notifications({ world, box }),
    policies,
    events: new Events({ ...posts, accept: acceptEvents, eventsPerMinute, findings }),
    incidents,
    checks: new Checks({ ...posts, onArmed }),
    findings,
    lapses,
    box,
    inbox,
  }
}
