/** Stores the valid value lists of a collectd body and reports the others. */

import type { MetricPatch } from "../../model/element.ts"
import { LeftOutCounter } from "../left-out.ts"
import { applyPlan, checkElementLimits } from "../parser/apply-plan.ts"
import { FieldReader } from "../parser/fields.ts"
import { accepted } from "../parser/outcome.ts"
import type { IngestOutcome, ParseDeps } from "../parser/outcome.ts"
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
  const refused = store(hosts, deps)
  if (refused !== undefined) return refused
  const samples = columns.count - firstSample
  if (problems.count === 0) return accepted(hosts.size, samples, leftOut.report())
  const rejected = problems.list()
  if (samples === 0) return { ok: false, detail: "Input Validation Failed", errors: rejected }
  return { ...accepted(hosts.size, samples, leftOut.report()), rejected }
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

/** Changes catalogue and columns, or returns the refusal if a limit would be exceeded. */
function store(hosts: ReadonlyMap<string, Host>, deps: ParseDeps): IngestOutcome | undefined {
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
  return { ok: false, detail: "Input Validation Failed", errors: problems.list() }
}
