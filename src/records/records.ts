/** Composes the records of one server: everything that users create, and events and incidents. */

import { Dashboards } from "./dashboards/dashboards.ts"
import { CheckTable } from "./incidents/check-table.ts"
import { Checks } from "./incidents/checks.ts"
import { noListener, type ChangeListener } from "./incidents/change-listener.ts"
import type { RecordsDeps } from "./core/record-collection.ts"
import { Datasources, type DatasourceKeys } from "./integrations/datasources.ts"
import { Events } from "./incidents/events.ts"
import {
  IncidentPipeline,
  type NotificationOutbox,
  type ElementLookup,
} from "./incidents/incident-pipeline.ts"
import { Incidents } from "./incidents/incidents.ts"
import { CheckMonitor } from "./incidents/check-monitor.ts"
import { Notifications } from "./integrations/notifications.ts"
import { OpenIncidents } from "./incidents/open-incidents.ts"
import { Policies } from "./incidents/policies.ts"
import { SavedViews } from "./dashboards/saved-views.ts"
import { GroupCommitQueue } from "./incidents/group-commit-queue.ts"
import { SecretBox } from "./secrets/secret-box.ts"
import { WatchedTime } from "../base/time/watched-time.ts"
import type { TenantIndex } from "../model/ids.ts"

export interface RecordsOptions extends RecordsDeps {
  readonly keys: DatasourceKeys
  /** The encryption key of stored secrets, 32 bytes. */
  readonly secretKey: Uint8Array
  /** The UUID of a tenant by its index. */
  readonly tenantUuid: (tenant: TenantIndex) => string
  /** Accepted distance of an external event's time from now. */
  readonly acceptEvents: { readonly pastMs: number; readonly futureMs: number }
  /** Limit of external events per tenant and minute; none if absent or 0. */
  readonly eventsPerMinute?: number
  /** Looks up the properties of elements for policies. */
  readonly lookUpElements: ElementLookup
  readonly outbox: NotificationOutbox
  /** Notified of changes of incidents, events and checks. */
  readonly listener?: ChangeListener
  /** Of the process; absent in tests, whose clock is all that is watched. */
  readonly watchedTime?: WatchedTime
}

export interface Records {
  readonly dashboards: Dashboards
  readonly views: SavedViews
  readonly datasources: Datasources
  readonly notifications: Notifications
  readonly policies: Policies
  readonly events: Events
  readonly incidents: Incidents
  readonly checks: Checks
  /** Turns policy matches into events, incidents and notifications. */
  readonly incidentPipeline: IncidentPipeline
  /** Detects expired checks; started by the server. */
  readonly checkMonitor: CheckMonitor
  /** Encrypts stored secrets. */
  readonly secretBox: SecretBox
  /** Posts of events and checks that wait for their commit. */
  readonly commitQueue: GroupCommitQueue
  /** Since when posts would have been seen. */
  readonly watchedTime: WatchedTime
}

export function openRecords(options: RecordsOptions): Records {
  const { documents, clock, random, keys, secretKey, tenantUuid, acceptEvents } = options
  const deps = { documents, clock, random }
  const secretBox = new SecretBox(secretKey, random)
  const commitQueue = new GroupCommitQueue(documents)
  const policies = new Policies(deps)
  const open = new OpenIncidents(documents)
  const incidents = new Incidents({ documents, clock, open })
  const notifications = new Notifications({ deps, box: secretBox })
  const { lookUpElements, outbox, eventsPerMinute = 0, listener = noListener } = options
  const { watchedTime = new WatchedTime({ clock }) } = options
  const incidentPipeline = new IncidentPipeline({
    documents,
    clock,
    policies,
    incidents,
    open,
    alertKeepers: (tenant, ids) => notifications.alertKeepers(tenant, ids),
    lookUpElements,
    outbox,
    tenantUuid,
    listener,
    watchedTime,
  })
  const table = new CheckTable({ documents, clock, listener })
  const monitored = { policies, incidentPipeline, table, watchedTime, listener }
  const checkMonitor = new CheckMonitor({ documents, clock, ...monitored })
  const posts = { documents, commitQueue, clock, random, tenantUuid, listener }
  return {
    dashboards: new Dashboards(deps),
    views: new SavedViews(deps),
    datasources: new Datasources({ deps, keys, box: secretBox }),
    notifications,
    policies,
    events: new Events({ ...posts, accept: acceptEvents, eventsPerMinute, incidentPipeline }),
    incidents,
    checks: new Checks({ ...posts, table }),
    incidentPipeline,
    checkMonitor,
    secretBox,
    commitQueue,
    watchedTime,
  }
}
