/** Templates that are JSON: values are escaped inside of strings, once, and nowhere else. */

import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { parseTemplate } from "../../src/template/parse.ts"
import { renderTextOrJson } from "../../src/template/render.ts"
import type { TemplateValue } from "../../src/template/syntax.ts"

const name = 'disk 15" C:\\new\n<b>\u0007'
const names: Readonly<Record<string, TemplateValue>> = {
  name,
  list: ['a"', "b\\"],
  results: '{"violating":true,"of":"a \\"b\\""}',
  metric: { fqn: 'x"y', value: 1.5 },
  isOn: true,
  count: 3,
  empty: "",
  nothing: null,
}

const rendered = (template: string, more: Readonly<Record<string, TemplateValue>> = {}) =>
  renderTextOrJson(parseTemplate(template), { ...names, ...more })

/** Checks what a template's JSON holds. */
const f = (template: string, want: unknown) => {
  const text = rendered(template)
  assert.deepEqual(JSON.parse(text), want, `${template} renders ${text}`)
}
/** Checks what a template renders. */
const g = (template: string, want: string) => assert.equal(rendered(template), want, template)

test("a value inside of a string is that string's text (R17)", () => {
  f('{"text":"${name}"}', { text: name })
  f('{"text":"a ${name} b ${name}"}', { text: `a ${name} b ${name}` })
  f('{"text":"it\'s \\"${name}\\" \\\\${name}"}', { text: `it's "${name}" \\${name}` })
  f('{"${name}":[1,"${count}"]}', { [name]: [1, "3"] })
  f('["${name}", {"a":"${metric}"}]', [name, { a: JSON.stringify(metric) }])
  f('"${name}"', name)
  f(' \n[ "${results}" ]', [results])
  f('{"a":"${nothing}${missing!}${missing!name}"}', { a: name })
  f('{"a":"${name?upper_case?trim}","b":"${name?length}"}', {
    a: name.toUpperCase().trim(),
    b: String(name.length),
  })
  f('{"a":"${name + \'"\' + count}","b":"${isOn?string(\'"\', "")}"}', { a: `${name}"3`, b: '"' })
  f('{"a":"${\'two\nlines\'}"}', { a: "two\nlines" })
  f('{"html":"<p title=\'${name?html}\'>"}', {
    html: "<p title='disk 15&quot; C:\\new\n&lt;b&gt;\u0007'>",
  })
})

const { metric, results } = names as { metric: object; results: string }

test("what escapes itself is not escaped twice", () => {
  f('{"a":"${name?json_string}","b":"${name?json_string?trim + name}"}', {
    a: name,
    b: `${name}${name}`,
  })
  f('{"a":"${name?esc}"}', { a: name })
  f('{"a":"${"<\'>"?js_string?replace("\\\\\'", "")?replace("\\\\>", "")}"}', { a: "<" })
  f('{"a":"${(name + "/")?json_string?string}"}', { a: `${name}/` })
  const byHand = "?replace('\\\\', '\\\\\\\\')?replace('\"', '\\\\\"')?replace('\\n', '\\\\n')"
  f(`{"a":"\${name${byHand}}"}`, { a: name })
  g('{"a":"${name?no_esc}"}', `{"a":"${name}"}`)
})

test("a value outside of strings is inserted as it is", () => {
  f('{"a":${results},"b":${count},"c":${metric},"d":${isOn}}', {
    a: JSON.parse(results),
    b: 3,
    c: metric,
    d: true,
  })
  f('{"a":${results},"b":"${name}"}', { a: JSON.parse(results), b: name })
  g('{"a":${name},"b":"${name?json_string}"}', `{"a":${name},"b":"${quoted(name)}"}`)
})

const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

test("directives leave a string as it was", () => {
  f('{"a":"<#if isOn>${name}<#else>off</#if>","b":[<#list list as x>"${x}"<#sep>,</#list>]}', {
    a: name,
    b: list,
  })
  f('<#-- c --><#if isOn>{"text":"${name}"}<#else>{"off":"${name}"}</#if>', { text: name })
  f('{"a":"<#list list as x>${x}<#sep>, </#list>"}', { a: list.join(", ") })
  f('{<#list list as x>"k${x_index}":"${x}"<#sep>,</#list>}', { k0: list[0], k1: list[1] })
})

const list = names["list"] as string[]

test("interpolations may begin and end strings", () => {
  f("{\"a\":${'\"' + name + '\"'}}", { a: name })
  f('{"a":${"\\"" + name + ": " + count + "\\""},"b":"${name}"}', { a: `${name}: 3`, b: name })
  f("{\"a\":${'\"'}${name}${'\"'}}", { a: name })
  f('["${list?join(\'","\')}"]', list)
  f('["${list?join(", ")}"]', [list.join(", ")])
  f("[${'\"' + list?join('\", \"') + '\"'}]", list)
})

test("other templates render values as they are", () => {
  g('the "${name}"', `the "${name}"`)
  g('[${count}] "${name}" is down', `[3] "${name}" is down`)
  g('"${name}" is down', `"${name}" is down`)
  g('{${count}} "${name}"', `{3} "${name}"`)
  g('${results} "${name}"', `${results} "${name}"`)
  g('<a href="${name}">', `<a href="${name}">`)
  g('text: {"a":"${name}"}', `text: {"a":"${name}"}`)
  g("payload=${name?json_string}", `payload=${quoted(name)}`)
})

test("a broken object and lines of objects keep their strings, whatever the values hold", () => {
  g('{"a":${missing},"b":"${name}"}', `{"a":,"b":"${quoted(name)}"}`)
  g('{"a":"${name}"}\n{"a":"${name}"}', `{"a":"${quoted(name)}"}\n{"a":"${quoted(name)}"}`)
})

test("no value leaves its string, whatever it holds and passes through", () => {
  const builtin = fc.constantFrom("trim", "upper_case", "html", "esc", "json_string", "url", "c")
  const chain = fc
    .array(builtin, { maxLength: 3 })
    .map((all) => all.map((one) => `?${one}`).join(""))
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom('"', "\\", ",", ":", "a") }),
  )
  fc.assert(
    fc.property(value, chain, (v, builtins) => {
      const template = `{"a":"\${v${builtins}}","b":["x \${v + v}","\${[v]?join(",")}"]}`
      const read = JSON.parse(rendered(template, { v })) as { b: unknown }
      assert.deepEqual(Object.keys(read), ["a", "b"])
      assert.deepEqual(read.b, [`x ${v}${v}`, v])
      assert.deepEqual(JSON.parse(rendered('{"a":"${v}"}', { v })), { a: v })
    }),
  )
})
