import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { TemplateError, renderedCharactersMax } from "../../src/template/template-cursor.ts"
import { parseTemplate } from "../../src/template/parse.ts"
import { render, renderDocument } from "../../src/template/render.ts"
import type { TemplateValue } from "../../src/template/syntax.ts"

const names: Readonly<Record<string, TemplateValue>> = {
  payloadType: "event",
  policyName: "High CPU",
  eventCategory: { name: "CRITICAL", level: 3 },
  eventTimestamp: "2026-01-05T14:05:00.000Z",
  event: { data: { results: '{"violating":true}' }, "a b": 1 },
  metrics: ["cpu.total", "cpu.idle"],
  empty: "",
  nothing: null,
  isOn: true,
}

const rendered = (text: string, more: Readonly<Record<string, TemplateValue>> = {}) =>
  render(parseTemplate(text), { ...names, ...more })

test("text without a construct renders as itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!/\$\{|#\{|<\/?#|<\/?@/.test(text))
      assert.equal(rendered(text), text)
    }),
  )
})

test("a value renders as it is, whatever it holds, and its escapes give it back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (value) => {
      assert.equal(rendered("<${v}>", { v: value }), `<${value}>`)
      const quoted = rendered('"${v?json_string}"', { v: value })
      assert.equal(JSON.parse(quoted), value)
      assert.doesNotMatch(rendered("${v?html}", { v: value }), /[<>"']/)
    }),
  )
})

test("whatever is read and rendered ends with a text or a TemplateError", () => {
  const pieces = ["${", "}", "<#if ", ">", "</#if>", "<#else>", "<#list ", " as x>", "</#list>"]
  const words = ["a", "event.data", "!", "??", "?size", "?join(", ")", "(", '"', "+", "&&", " > "]
  const piece = fc.constantFrom(...pieces, ...words, "<#--", "-->", "<#sep>", "1", "[", "]", "\\")
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (parts) => {
      try {
        assert.equal(typeof rendered(parts.join("")), "string")
      } catch (error) {
        assert.ok(error instanceof TemplateError, String(error))
      }
    }),
    { numRuns: 2000 },
  )
})

/** Template, and what it renders to. */
const examples: readonly (readonly [string, string])[] = [
  ["[${policyName}] ${eventCategory.name}", "[High CPU] CRITICAL"],
  ['${event["a b"]} ${metrics[1]} ${event.data.results}', '1 cpu.idle {"violating":true}'],
  ['${missing!"none"}|${missing!}|${nothing.deep.er!"x"}|${missing}', "none||x|"],
  ['${missing!policyName!"?"} ${(a.b)!"z"}', "High CPU z"],
  ["<#if missing??>yes<#else>no</#if>", "no"],
  ['<#if payloadType == "event">E<#else>C</#if>', "E"],
  ['<#if payloadType = "x">1<#elseif eventCategory.level gt 2>2<#else>3</#if>', "2"],
  ["<#if (eventCategory.level > 2) && !(isOn && missing??)>both</#if>", "both"],
  ["<#if eventCategory.level gte 3 || empty?has_content>or</#if>", "or"],
  ["<#list metrics as m>${m_index + 1}. ${m}<#sep>, </#list>", "1. cpu.total, 2. cpu.idle"],
  ["<#list metrics as m>${m}<#if m_has_next>; </#if></#list>", "cpu.total; cpu.idle"],
  ["<#list missing![] as m>${m}<#else>none</#list>", "none"],
  ["<#list ['a','b'] as x><#list [1,2] as y>${x}${y} </#list></#list>", "a1 a2 b1 b2 "],
  ["a<#-- <#if broken ${ -->b", "ab"],
  ["${policyName?upper_case} ${policyName?lower_case?cap_first}", "HIGH CPU High cpu"],
  ["${'  x '?trim}|${'a<b'?html}|${'a\"b'?json_string}", 'x|a&lt;b|a\\"b'],
  ["${metrics?size} ${metrics?join(' + ')} ${[]?join(',', 'none')}", "2 cpu.total + cpu.idle none"],
  ["${policyName?replace('CPU', 'load')} ${'12'?number + 1} ${1234.5?c}", "High load 13 1234.5"],
  ["${isOn?string('yes', 'no')} ${(1 == 2)?string('yes', 'no')} ${3?string}", "yes no 3"],
  ["${eventTimestamp?datetime?string('yyyy-MM-dd HH:mm')}", "2026-01-05 14:05"],
  ["${2 + 3 * 4 - 6 / 2} ${-(1 + 1)} ${7 % 4} ${'a' + 1}", "11 -2 3 a1"],
  ["$5 {x} # < a <b>bold</b> $", "$5 {x} # < a <b>bold</b> $"],
  ["${'it\\'s \\x41'}", "it's A"],
]

test("each construct renders as FreeMarker's manual says", () => {
  for (const [text, wanted] of examples) assert.equal(rendered(text), wanted, text)
})

/** Template, and what the message must say. */
const refused: readonly (readonly [string, RegExp])[] = [
  ["a\nb <#macro x>", /^line 2, column 3: expected one of \$\{…\}.*got "<#macro x>"/],
  ["<#assign x = 1>", /expected one of/],
  ["<@foo/>", /line 1, column 1/],
  ["#{x}", /expected one of/],
  ["<#if a>", /expected <\/#if>, or one of .* got the end/],
  ["<#if a></#list>", /expected <\/#if>/],
  ["<#list a>x</#list>", /expected "as" and a name/],
  ["</#if>", /line 1, column 1/],
  ["${a", /expected \} at the end/],
  ["${}", /expected a value/],
  ["${a?eval}", /line 1, column 5: expected one of upper_case, .* after \?, got "eval/],
  ["${a?new()}", /expected one of upper_case/],
  ["${a?api.x}", /expected one of upper_case/],
  ["${1..5}", /no range/],
  ['${"a${b}"}', /no interpolation inside of a text/],
  ["${'abc}", /a text that ends with '/],
  ["<#-- x", /a comment that ends/],
  ["<#else>", /expected one of/],
  [`\${${"(".repeat(100)}1${")".repeat(100)}}`, /at most 32 levels/],
  ["<#if true>".repeat(40), /at most 32 levels/],
]

test("what is not supported is refused, with its place and what would be taken", () => {
  for (const [text, wanted] of refused) {
    assert.throws(
      () => parseTemplate(text),
      (error) => error instanceof TemplateError && wanted.test(error.message),
      text,
    )
  }
})

test("no template makes a server work or answer without bound", () => {
  const many = Array.from({ length: 1000 }, () => "x")
  const loops = "<#list l as a><#list l as b><#list l as c>${a}</#list></#list></#list>"
  assert.throws(() => rendered(loops, { l: many }), /at most 100000 steps/)
  const long = "y".repeat(renderedCharactersMax)
  assert.throws(() => rendered("${l}${l}", { l: long }), /characters of output/)
  assert.throws(() => rendered("${l?replace('y', l)}", { l: long }), /at most 262144 characters/)
})

test("nothing of JavaScript can be reached", () => {
  for (const name of [
    "constructor",
    "__proto__",
    "toString",
    "event.constructor",
    "metrics.length",
  ])
    assert.equal(rendered(`\${${name}}`), "", name)
})

const attack = `<img src=x onerror="alert('1')">&`
const escaped = "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;"
const asHtml = (text: string, more: Readonly<Record<string, TemplateValue>> = {}) =>
  renderDocument(parseTemplate(text), { ...names, attack, bold: "<b>", ...more })

test("HTML escapes what is printed, once, and prints as it is only what is asked for (A14)", () => {
  const f = (template: string, want: string) => {
    assert.deepEqual(asHtml(`<p>${template}`), { text: `<p>${want}`, isHtml: true }, template)
  }
  f("${attack}", escaped)
  f("${attack?html}", escaped)
  f("${attack?xml?html?esc}", escaped)
  f("${attack?no_esc}", attack)
  f("${attack?no_esc?html}", attack)
  f("${attack?trim?upper_case?lower_case}", escaped)
  f("${attack?html?trim}", escaped)
  f("${'a\nb' + bold}", "a\nb&lt;b&gt;")
  f("${'<i>'}${1 + 1}${isOn?string('<', 'no')}", "&lt;i&gt;2&lt;")
  f("${'a<\nb'?html?replace('\n', '<br>')}", "a&lt;<br>b")
  f("${'a-b'?html?replace('-', bold)}", "a&lt;b&gt;b")
  f("${bold?html + '<br>' + bold}", "&lt;b&gt;<br>&lt;b&gt;")
  f("${'<i>' + '<u>' + bold?esc}", "<i><u>&lt;b&gt;")
  f("${bold + bold?no_esc}", "&lt;b&gt;<b>")
  f(
    "${event}",
    "{&quot;data&quot;:{&quot;results&quot;:&quot;{\\&quot;violating\\&quot;:true}&quot;}," +
      "&quot;a b&quot;:1}",
  )
  f("${[bold?html]}", "[&quot;&amp;lt;b&amp;gt;&quot;]")
  f("<#list metrics as m>${m}<#sep><br></#sep></#list>", "cpu.total<br>cpu.idle")
  f("<#if bold?html?has_content && bold?esc == '&lt;b&gt;'>${bold?html?length}</#if>", "9")
  f("${(bold?html).text}|${bold?html?size}", "|9")
})

test("no value reaches HTML unescaped, whatever it holds (A14)", () => {
  const builtin = fc.constantFrom(
    "trim",
    "upper_case",
    "html",
    "esc",
    "string",
    "json_string",
    "url",
  )
  const chain = fc
    .array(builtin, { maxLength: 3 })
    .map((list) => list.map((one) => `?${one}`).join(""))
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), chain, (v, builtins) => {
      const { text, isHtml } = asHtml(
        "<p>${v" + builtins + "}${'x'?html?replace('x', v)}${v + v?esc}",
        { v },
      )
      assert.ok(isHtml)
      assert.doesNotMatch(text.slice("<p>".length), /[<>"']/)
      assert.equal(asHtml("<p>${v}", { v }).text, asHtml("<p>${v?html}", { v }).text)
    }),
  )
})

test("a template is HTML by its own tag, never by a value that begins with one (A14)", () => {
  const f = (template: string, isHtml: boolean) =>
    assert.equal(asHtml(template).isHtml, isHtml, template)
  f(" <#-- c -->\n<p>", true)
  f("<#if isOn>\n <p>${attack}</#if>", true)
  f("${empty}${missing}<p>", true)
  f("${'<p>'?no_esc}", true)
  f("${attack}", false)
  f("${attack} <p>", false)
  f("${bold?html}<p>", false)
  f("text <p>", false)
  assert.equal(asHtml("is ${attack}").text, `is ${attack}`)
})

test("markup is text where nothing is escaped, and long chains of it end", () => {
  assert.equal(rendered("${'<'?no_esc}${'<'?esc}${'<'?html + '<'}"), "<<&lt;<")
  const chain = "${'<'?html" + " + 'x'".repeat(30) + "}"
  assert.equal(asHtml(`<p>${chain}`).text, `<p>&lt;${"x".repeat(30)}`)
})
