/**
 * Conditions on external events (spec/policies §4): evaluated for each event when it is posted.
 *
 * Expressions match anywhere in the event's message, title and source, ignoring case; the level is
 * equal. One event must meet all of several conditions, or any (`anyCondition`). They are
 * independent of conditions on cycles: a policy fires if either kind is met.
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
    const subject = `The event "${event.title ?? ""}" of level ${event.level}`
    const conditions = this.tests.map((test, index): ConditionResult => {
      const violating = test(event)
      const expression = `${subject} ${violating ? "meets" : "does not meet"} the event condition.`
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

/** `data.message` of an event; null if it is no text. */
export function messageOf({ data }: ElementEvent): string | null {
  const message = data["message"]
  return typeof message === "string" ? message : null
}
