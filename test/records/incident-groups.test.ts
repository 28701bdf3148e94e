/** Groups and orders of incidents, against naive ones. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { eventLevels } from "../../src/model/records/event-level.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { incidentSortFields, sortedIncidents } from "../../src/records/incidents/incident-filter.ts"
import {
  incidentGroupings,
  IncidentGrouping,
  incidentGroupSorts,
  type IncidentGroup,
} from "../../src/records/incidents/incident-groups.ts"

const incident = fc
  .record({
    timeMs: fc.nat({ max: 5 }),
    policyId: fc.constantFrom("cpu", "disk", "down"),
    elementId: fc.constantFrom("web", "db"),
    elementName: fc.constantFrom("Web", "web", "db"),
    level: fc.constantFrom(undefined, ...eventLevels),
    acked: fc.boolean(),
    closedMs: fc.option(fc.nat({ max: 9 })),
  })
  .map(({ level, ...rest }): Omit<Incident, "id"> => {
    const facts = { lastFiredMs: 9, elementFqn: "", eventIds: [], violatingMetricFqns: [] }
    return {
      ...facts,
      ...rest,
      policyName: rest.policyId,
      ...(level === undefined ? {} : { level }),
    }
  })
const incidents = fc
  .array(incident, { maxLength: 40 })
  .map((all) => all.map((one, i): Incident => ({ ...one, id: String(i).padStart(2, "0") })))

const rank = ({ level }: { readonly level?: Incident["level"] | null }) =>
  level ? eventLevels.indexOf(level) : -1

const always = { startMs: 0, endMs: 10 }

test("groups part the incidents; each tells its numbers, its level and its newest ones", () => {
  fc.assert(
    fc.property(incidents, fc.constantFrom(...incidentGroupings), (all, by) => {
      const newestFirst = sortedIncidents(all, { sortBy: "since", isNewestFirst: true })
      const options = { by, sortBy: "level", limit: 10, members: 2 } as const
      const grouping = new IncidentGrouping(options, always)
      for (const one of newestFirst) grouping.add(one)
      const { groups, groupCount, total } = grouping.groups()
      assert.equal(total, all.length)
      assert.equal(groupCount, groups.length)
      assert.equal(new Set(groups.map(({ id }) => id)).size, groups.length)
      for (const group of groups) {
        const field = by === "policy" ? "policyId" : "elementId"
        const own = newestFirst.filter((one) => one[field] === group.id)
        assert.equal(group.count, own.length)
        assert.equal(group.acked, own.filter(({ acked }) => acked).length)
        assert.equal(group.open, own.filter(({ closedMs }) => closedMs === null).length)
        assert.equal(rank(group), Math.max(...own.map(rank)))
        assert.deepEqual([group.newestMs, group.firstMs], [own[0]!.timeMs, own.at(-1)!.timeMs])
        assert.deepEqual(group.incidents, own.slice(0, 2))
      }
      const order = groups.map((group) => [-rank(group), -group.newestMs] as const)
      const sorted = order.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])
      assert.deepEqual(order, sorted)
    }),
  )
})

test("a moment of the window counts once, however many incidents of the group are open", () => {
  const moment = fc.nat({ max: 10 })
  fc.assert(
    fc.property(incidents, moment, moment, (all, startMs, endMs) => {
      const options = { by: "element", sortBy: "level", limit: 10, members: 0 } as const
      const grouping = new IncidentGrouping(options, { startMs, endMs })
      const newestFirst = sortedIncidents(all, { sortBy: "since", isNewestFirst: true })
      for (const one of newestFirst) grouping.add(one)
      for (const { id, openMs } of grouping.groups().groups) {
        const own = all.filter(({ elementId }) => elementId === id)
        const moments = Array.from({ length: 10 }, (_, at) => at).filter(
          (at) =>
            at >= startMs &&
            at < endMs &&
            own.some(({ timeMs, closedMs }) => timeMs <= at && (closedMs ?? Infinity) > at),
        )
        assert.equal(openMs, moments.length)
      }
    }),
  )
})

test("groups are sorted by level, number or minutes, then by the other, then the newest", () => {
  type Key = (group: IncidentGroup) => number
  const newest: Key = ({ newestMs }) => newestMs
  const [count, minutes]: Key[] = [(group) => group.count, (group) => group.openMs]
  const keys = {
    level: [rank, newest],
    count: [count!, minutes!, newest],
    minutes: [minutes!, count!, newest],
  }
  fc.assert(
    fc.property(incidents, fc.constantFrom(...incidentGroupSorts), (all, sortBy) => {
      const options = { by: "policy", sortBy, limit: 10, members: 0 } as const
      const grouping = new IncidentGrouping(options, always)
      const newestFirst = sortedIncidents(all, { sortBy: "since", isNewestFirst: true })
      for (const one of newestFirst) grouping.add(one)
      const { groups } = grouping.groups()
      for (const [i, next] of groups.slice(1).entries()) {
        const of = (group: IncidentGroup) => keys[sortBy].map((key) => key(group))
        const [before, after] = [of(groups[i]!), of(next)]
        const at = before.findIndex((one, field) => one !== after[field])
        assert.ok(at < 0 || before[at]! > after[at]!, `${before.join()} before ${after.join()}`)
      }
    }),
  )
})

test("a limit leaves groups out, which are counted all the same", () => {
  const options = { by: "policy", sortBy: "level", limit: 1, members: 0 } as const
  const grouping = new IncidentGrouping(options, always)
  const [one] = fc.sample(incident, 1)
  for (const policyId of ["a", "b", "b"]) grouping.add({ ...one!, id: policyId, policyId })
  const { groups, groupCount, total } = grouping.groups()
  assert.deepEqual([groups.length, groupCount, total], [1, 2, 3])
  assert.deepEqual(groups[0]!.incidents, [])
})

test("an order goes by its field, both ways, ignoring case; equal ones are newest first", () => {
  const keys = {
    since: ({ timeMs }: Incident) => timeMs,
    level: rank,
    policy: ({ policyName = "" }: Incident) => policyName,
    element: ({ elementName }: Incident) => elementName.toLowerCase(),
  }
  fc.assert(
    fc.property(
      incidents,
      fc.constantFrom(...incidentSortFields),
      fc.boolean(),
      (all, sortBy, isNewestFirst) => {
        const sorted = sortedIncidents(all, { sortBy, isNewestFirst })
        assert.deepEqual(new Set(sorted), new Set(all))
        for (const [i, next] of sorted.slice(1).entries()) {
          const [from, to] = [keys[sortBy](sorted[i]!), keys[sortBy](next)]
          if (from === to) assert.ok(sorted[i]!.timeMs >= next.timeMs)
          else assert.equal(from > to, isNewestFirst)
        }
      },
    ),
  )
})
