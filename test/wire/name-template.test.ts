import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { readTemplate, renderTemplate } from "../../src/wire/elements/name-template.ts"
import { Problems } from "../../src/wire/problems.ts"

const subject = {
  tags: [
    { name: "Name", value: "web" },
    { name: "n.state", value: "on" },
  ],
  attributes: [{ name: "ram bytes", value: "64" }],
  meta: { fqn: "f", location: "", type: "t", id: "i", tenantId: "u", originalName: "o" },
}

function render(template: string): string {
  const problems = new Problems()
  const parts = readTemplate(template, problems)
  problems.throwIfAny()
  return renderTemplate(parts, subject)
}

test("references are put in, and what is not known is empty or what follows the !", () => {
  const f = (template: string, want: string) => assert.equal(render(template), want)

  f("${tags.Name}", "web")
  f("a ${ tags.Name } b", "a web b")
  f("${tags.n.state}", "on")
  f('${tags["n.state"]}', "on")
  f('${tags["no"] ! "x y"}', "x y")
  f("${attributes.ram bytes}", "64")
  f("${tags.other}|${tags.other!}", "|")
  f('${meta.location!"nowhere"}', "nowhere")
  f("${meta.fqn}${meta.id}${meta.tenantId}${meta.originalName}${meta.type}", "fiuot")
})

test("what is no reference is refused", () => {
  const f = (template: string) => assert.throws(() => render(template), /template: expected/)

  f("${}")
  f("${tags}")
  f("${tags.}")
  f("${Tags.Name}")
  f("${meta.colour}")
  f('${tags["Name}')
  f("${tags.a!b}")
  f("${tags.a")
  f("x".repeat(5000))
})

test("a template without references is its own answer, whatever it holds", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes("${")),
      (text) => assert.equal(render(text), text),
    ),
  )
})
