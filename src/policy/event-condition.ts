/**
 * Conditions on external events (spec/policies §4): met by one event, at once.
 *
 * Expressions are found anywhere, in either case, in the event's message, title and source; the
 * level is equal. Of several conditions all must be met by one event, or any (`anyCondition`).
 * They stand beside the conditions on cycles: either kind is enough.
 */

import type { ElementEvent } from "../model/records/event.ts"
import type { Policy, PolicyEventCondition } from "../model/records/policy.ts"
import { containsPattern } from "./memoize-match.ts"
import type { ConditionResult, PolicyResults } from "./violation.ts"

type Test = (event: ElementEvent) => boolean

export class EventMatcher {
  private readonly tests: readonly Test[]
  private readonly isAny: boolean

  constructor({ eventConditions, anyCondition }: Policy) {
    this.tests = eventConditions.map(testOf)
    this.isAny = anyCondition
  }

  matches(event: ElementEvent): boolean {
    return this.isAny
      ? this.tests.some((test) => test(event))
      : this.tests.every((test) => test(event))
  }

  results(event: ElementEvent): PolicyResults {
    const told = `The event "${event.title ?? ""}" of level ${event.level}`
    const conditions = this.tests.map((test, index): ConditionResult => {
      const violating = test(event)
      const expression = `${told} ${violating ? "meets" : "does not meet"} the event condition.`
      return { id: String(index), violating, expression }
    })
    return { violating: this.matches(event), conditions, metrics: [] }
  }
}

function testOf({ messageRegex, titleRegex, sourceRegex, level }: PolicyEventCondition): Test {
  const tests: Test[] = []
  const add = (expression: string | null, textOf: (event: ElementEvent) => string | null) => {
    if (expression === null) return
    const finds = containsPattern(expression)
    tests.push((event) => finds(textOf(event) ?? ""))
  }
  add(messageRegex, messageOf)
  add(titleRegex, ({ title }) => title)
  add(sourceRegex, ({ source }) => source)
  if (level !== null) tests.push((event) => event.level === level)
  return (event) => tests.every((test) => test(event))
}

/** What was sent as `data.message`; none where that is no text. */
function messageOf({ data }: ElementEvent): string | null {
  const message = data["message"]
  return typeof message === "string" ? message : null
}
