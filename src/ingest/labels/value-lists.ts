/**
 * Stores the valid value lists of a collectd body, returns its notifications as events, and reports
 * what is invalid of both.
 */

import type { JsonObject } from "../../base/json-value.ts"
import { errorStringsMax, eventBodyBytesMax } from "../../base/limits.ts"
import type { MetricPatch } from "../../model/element.ts"
import type { PostedEvent } from "../../model/records/posted-event.ts"
import { LeftOutCounter } from "../left-out.ts"
import { applyPlan, checkElementLimits } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import { outcomeOf } from "../parser/outcome.ts"
import type { Applied, IngestOutcome, ParseDeps, Refusal } from "../parser/outcome.ts"
import { CataloguePlan } from "../parser/catalogue-plan.ts"
import { PostedMetrics } from "../parser/posted-metrics.ts"
import { BodyPosition, BodyProblems, quoted } from "../parser/problems.ts"
import { sentText } from "../parser/sample.ts"
import { readValueList, type ValueList } from "./collectd.ts"
import { isNotification, readNotification } from "./notification.ts"

/** The valid value lists of one host. */
interface Host {
  readonly name: string
  readonly lists: ValueList[]
  readonly metrics: Map<string, MetricPatch>
}

/** The contents of a body. */
interface Contents {
  readonly problems: BodyProblems
  readonly leftOut: LeftOutCounter
  readonly hosts: Map<string, Host>
  readonly events: PostedEvent[]
}

/**
 * Stores the valid lists of `body`, which is parsed from `bodyBytes` bytes, and returns its events;
 * refuses it if it has neither.
 */
export function readCollectdBody(
  body: readonly unknown[],
  bodyBytes: number,
  deps: ParseDeps,
): IngestOutcome {
  const { columns, request } = deps
  const firstSample = columns.count
  const leftOut = new LeftOutCounter()
  leftOut.start(request.reportsLeftOut)
  const contents: Contents = { problems: new BodyProblems(), leftOut, hosts: new Map(), events: [] }
  for (const [index, entry] of body.entries()) {
    if (isNotification(entry)) addEvent(contents, { entry, index, bodyBytes }, deps)
    else addList(contents, { entry, index }, deps)
  }
  const applied = store(contents.hosts, deps)
  return contentsOutcome(contents, applied, columns.count - firstSample)
}

function contentsOutcome(
  { problems, leftOut, hosts, events }: Contents,
  applied: Applied,
  samples: number,
): IngestOutcome {
  const hasGood = problems.count === 0 || samples > 0 || events.length > 0
  const isStored = applied.isStored && hasGood
  const partial =
    events.length > 0 ? "Some Samples or Events Were Refused" : "Some Samples Were Refused"
  const detail = isStored ? partial : "Input Validation Failed"
  const refused = problems.count === 0 ? applied.refused : addProblems(applied, problems, detail)
  const whole = refused === undefined ? { isStored } : { isStored, refused }
  const outcome = outcomeOf(whole, hosts.size, samples, leftOut.report())
  return outcome.ok && events.length > 0 ? { ...outcome, events } : outcome
}

/** The refusal of a body with invalid entries; a limit that it exceeds is named first. */
function addProblems(
  { refused }: Applied,
  problems: BodyProblems,
  detail: Refusal["detail"],
): Refusal {
  const errors = problems.list()
  if (refused === undefined) return { detail, errors }
  return { ...refused, errors: [...refused.errors, ...errors].slice(0, errorStringsMax) }
}

function addEvent(
  { problems, events }: Contents,
  of: { readonly entry: JsonObject; readonly index: number; readonly bodyBytes: number },
  { period, request }: ParseDeps,
): void {
  const event =
    of.bodyBytes <= eventBodyBytesMax
      ? readNotification(of.entry, period, request)
      : `a body with notifications has at most ${eventBodyBytesMax} bytes, not ${of.bodyBytes}`
  if (typeof event === "string") problems.add(() => `Notification ${of.index}: ${event}`)
  else events.push(event)
}

function addList(
  { problems, leftOut, hosts }: Contents,
  { entry, index }: { readonly entry: unknown; readonly index: number },
  { period, request }: ParseDeps,
): void {
  const list = readValueList(entry, period, request.injectTimestamp ? request.nowMs : null)
  if (typeof list === "string") return problems.add(() => `Value list ${index}: ${list}`)
  addTo(hosts, list)
  for (const { fqn, value, reason } of list.leftOut) {
    const source = `Value list ${index} of ${quoted(list.element)}, metric ${quoted(fqn)}`
    leftOut.add(reason, () => `${source}: ${sentText(value)} is no observation`)
  }
}

function addTo(hosts: Map<string, Host>, list: ValueList): void {
  if (list.sources.length === 0) return
  let host = hosts.get(list.element)
  if (host === undefined) {
    hosts.set(list.element, (host = { name: list.host, lists: [], metrics: new Map() }))
  }
  host.lists.push(list)
  for (const { fqn, labels, type } of list.sources) {
    if (host.metrics.has(fqn)) continue
    const tags = labels.map(([name, value]) => ({ name, value }))
    host.metrics.set(fqn, { type, ...(tags[0] && { tags }) })
  }
}

/** Changes catalogue and columns, as far as the limits allow. */
function store(hosts: ReadonlyMap<string, Host>, deps: ParseDeps): Applied {
  const { catalogue, request, columns } = deps
  const firstSample = columns.count
  const plan = new CataloguePlan(catalogue, request.tenant)
  const reader = new FieldReader(new BodyProblems(), new BodyPosition(), true)
  for (const [fqn, { name, lists, metrics }] of hosts) {
    const element = catalogue.findElement(request.tenant, fqn)
    const known = element < 0 ? undefined : catalogue.elementInfo(element)
    // The type set by another collector of the host is not overwritten.
    const type = known === undefined || known.type === "unknown" ? { type: "SERVER" } : {}
    const patch = { ...type, ...(known === undefined ? { name } : {}) }
    const post = plan.add(fqn, patch, new PostedMetrics(metrics))
    checkElementLimits(post, reader, plan)
    for (const { sources, timeMs } of lists) {
      for (const source of sources) {
        columns.push(plan.series(post, source.fqn), timeMs, source.value)
      }
    }
  }
  const { problems } = reader
  if (problems.count === 0) return applyPlan(plan, deps, firstSample)
  const refused = { detail: "Input Validation Failed", errors: problems.list() } as const
  return { refused, isStored: false }
}
