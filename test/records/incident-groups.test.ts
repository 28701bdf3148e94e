/** Groups and orders of incidents, against naive ones. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { eventLevels } from "../../src/model/records/event-level.ts"
import type { Incident } from "../../src/model/records/incident.ts"
import { incidentSortFields, sortedIncidents } from "../../src/records/incidents/incident-filter.ts"
import { incidentGroupings, IncidentGrouping } from "../../src/records/incidents/incident-groups.ts"

const incident = fc
  .record({
    timeMs: fc.nat({ max: 5 }),
    policyId: fc.constantFrom("cpu", "disk", "down"),
    elementId: fc.constantFrom("web", "db"),
    elementName: fc.constantFrom("Web", "web", "db"),
    level: fc.constantFrom(undefined, ...eventLevels),
    acked: fc.boolean(),
    closedMs: fc.constantFrom(null, 9),
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

test("groups part the incidents; each tells its numbers, its level and its newest ones", () => {
  fc.assert(
    fc.property(incidents, fc.constantFrom(...incidentGroupings), (all, by) => {
      const newestFirst = sortedIncidents(all, { sortBy: "since", isNewestFirst: true })
      const grouping = new IncidentGrouping({ by, limit: 10, members: 2 })
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

test("a limit leaves groups out, which are counted all the same", () => {
  const grouping = new IncidentGrouping({ by: "policy", limit: 1, members: 0 })
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
