/** Stores the valid value lists of a collectd body and reports the others. */

import { errorStringsMax } from "../../base/limits.ts"
import type { MetricPatch } from "../../model/element.ts"
import { LeftOutCounter } from "../left-out.ts"
import { applyPlan, checkElementLimits } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import { outcomeOf } from "../parser/outcome.ts"
import type { Applied, IngestOutcome, ParseDeps, Refusal } from "../parser/outcome.ts"
import { CataloguePlan } from "../parser/catalogue-plan.ts"
import { BodyPosition, BodyProblems, quoted } from "../parser/problems.ts"
import { sentText } from "../parser/sample.ts"
import { readValueList, type ValueList } from "./collectd.ts"

/** The valid value lists of one host. */
interface Host {
  readonly name: string
  readonly lists: ValueList[]
  readonly metrics: Map<string, MetricPatch>
}

/** Stores the valid lists of `body`; refuses it if there is none. */
export function readValueLists(body: readonly unknown[], deps: ParseDeps): IngestOutcome {
  const { columns, request, period } = deps
  const firstSample = columns.count
  const problems = new BodyProblems()
  const leftOut = new LeftOutCounter()
  leftOut.start(request.reportsLeftOut)
  const hosts = new Map<string, Host>()
  for (const [index, entry] of body.entries()) {
    const list = readValueList(entry, period, request.injectTimestamp ? request.nowMs : null)
    if (typeof list === "string") problems.add(() => `Value list ${index}: ${list}`)
    else {
      addTo(hosts, list)
      for (const { fqn, value, reason } of list.leftOut) {
        const source = `Value list ${index} of ${quoted(list.element)}, metric ${quoted(fqn)}`
        leftOut.add(reason, () => `${source}: ${sentText(value)} is no observation`)
      }
    }
  }
  const applied = store(hosts, deps)
  const samples = columns.count - firstSample
  const isStored = applied.isStored && (problems.count === 0 || samples > 0)
  const refused = problems.count === 0 ? applied.refused : addProblems(applied, problems, isStored)
  const whole = refused === undefined ? { isStored } : { isStored, refused }
  return outcomeOf(whole, hosts.size, samples, leftOut.report())
}

/** The refusal of a body with invalid lists; a limit that it exceeds is named first. */
function addProblems({ refused }: Applied, problems: BodyProblems, isStored: boolean): Refusal {
  const detail = isStored ? "Some Samples Were Refused" : "Input Validation Failed"
  const errors = problems.list()
  if (refused === undefined) return { detail, errors }
  return { ...refused, errors: [...refused.errors, ...errors].slice(0, errorStringsMax) }
}

function addTo(hosts: Map<string, Host>, list: ValueList): void {
  if (list.sources.length === 0) return
  let host = hosts.get(list.element)
  if (host === undefined) {
    hosts.set(list.element, (host = { name: list.host, lists: [], metrics: new Map() }))
  }
  host.lists.push(list)
  for (const { fqn, labels, isCounter } of list.sources) {
    if (host.metrics.has(fqn)) continue
    const tags = labels.map(([name, value]) => ({ name, value }))
    host.metrics.set(fqn, { type: isCounter ? "COUNTER" : "GAUGE", ...(tags[0] && { tags }) })
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
    const post = plan.add(fqn, { ...type, ...(known === undefined ? { name } : {}) }, metrics)
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
