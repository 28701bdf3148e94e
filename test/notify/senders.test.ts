/** The requests of each type of notification, as a real server receives them. */

import assert from "node:assert/strict"
import { after, before, beforeEach, test } from "node:test"
import type { CloseReason } from "../../src/model/records/incident.ts"
import { contentOf } from "../../src/notify/message-content.ts"
import { signedHeaders } from "../../src/notify/senders/aws-signature.ts"
import { needsTls, type MailSettings, type RequireTls } from "../../src/notify/mail.ts"
import { listen, type Listener } from "../outbound/listener.ts"
import { listenMail, type MailServer } from "./smtp.ts"
import { senderOf, eventAt, messageAt, startMs } from "./test-delivery.ts"

let receiver: Listener
let mailServer: MailServer

before(async () => {
  receiver = await listen(({ path }) => ({ status: path === "/gone" ? 410 : 202 }))
  mailServer = await listenMail((address) => address.startsWith("nobody"))
})

after(async () => {
  await receiver.close()
  await mailServer.close()
})

beforeEach(() => {
  receiver.received.length = 0
})

const urlOf = (path = "/x") => `http://127.0.0.1:${receiver.port}${path}`

const mailTo = (smtpUrl: string, requireTls: RequireTls = "auto"): MailSettings => {
  return { smtpUrl, from: "tide@example.org", requireTls }
}

/** The request that the listener received for one delivery. */
async function sent(
  type: string,
  properties: Record<string, string>,
  payloadType: "event" | "event_cleared" = "event",
) {
  const notice = messageAt(startMs, 1, payloadType)
  await senderOf().deliver({ type, properties: { url: urlOf(), ...properties } }, notice)
  const [request] = receiver.received.splice(0)
  assert.equal(request!.method, "POST")
  assert.equal(request!.headers["x-tidegauge-delivery"], notice.id)
  return { ...request!, notice, json: () => JSON.parse(request!.body) as Record<string, never> }
}

const title = "CRITICAL: High CPU on Web 1"
const incidentKey = "tidegauge:policy-1:5d1a3a52-0000-3000-8000-000000000001"
const webOne = eventAt(startMs).element!
const sentence = 'cpu.total is 97; this is above "90" & <high>.'

test("a webhook gets every template variable as JSON", async () => {
  const { notice, json, headers } = await sent("webhook", {})
  assert.match(headers["content-type"]!, /^application\/json/)
  const { event, ...fields } = json() as Record<string, unknown>
  assert.deepEqual(fields, {
    deliveryId: notice.id,
    payloadType: "event",
    closeReason: null,
    policyId: "policy-1",
    policyName: "High CPU",
    policyDescription: "Sent because a test was requested",
    elementId: "5d1a3a52-0000-3000-8000-000000000001",
    elementFqn: "web-1",
    elementName: "Web 1",
    elementType: "SERVER",
    elementLocation: "Berlin",
    eventCategory: { id: "3", name: "CRITICAL", color: "#FF0000" },
    eventTimestamp: "2026-01-05T14:05:00.000Z",
    timestamp: "2026-01-05T14:05:00.000Z",
    color: "#FF0000",
    baseUrl: "https://tidegauge.example.org",
    incidentUrl: "https://tidegauge.example.org",
  })
  assert.equal((event as { id: string }).id, `event-${startMs}`)
})

test("a webhook sends its template, credentials and headers", async () => {
  const postContentTemplate =
    '{"who":"${elementName}","what":${event.data.results},"is":"<#if payloadType == "event">on' +
    '<#else>off</#if>"}'
  const properties = { payloadType: "custom", postContentTemplate, basicUsername: "u" }
  const secret = { basicPassword: "p:w", headers: "X-Team: ops\nAuthorization-X: 1" }
  const { headers, json } = await sent("webhook", { ...properties, ...secret }, "event_cleared")
  assert.equal(headers.authorization, `Basic ${Buffer.from("u:p:w").toString("base64")}`)
  assert.equal(headers["x-team"], "ops")
  const { who, what, is } = json() as Record<string, unknown>
  assert.deepEqual([who, is], ["Web 1", "off"])
  assert.equal((what as { violating: boolean }).violating, true)
  const plain = await sent("webhook", { postContentTemplate: "hello ${policyName}" })
  assert.equal(plain.body, "hello High CPU")
  assert.match(plain.headers["content-type"]!, /^text\/plain/)
  const asJson = await sent("webhook", { headers: '{"Content-Type":"application/x-mine"}' })
  assert.equal(asJson.headers["content-type"], "application/x-mine")
  await assert.rejects(sent("webhook", { headers: "no colon here" }), /properties\.headers/)
})

test("a template that is JSON remains JSON, whatever the element is called (R17)", async () => {
  const name = 'disk 15" on C:\\\nof "Web 1"'
  const notice = {
    ...messageAt(startMs),
    event: { ...eventAt(startMs), element: { ...webOne, name } },
  }
  const template = '{"text":"${elementName}","of":${event.data.results}}'
  const properties = { url: urlOf(), postContentTemplate: template }
  await senderOf().deliver({ type: "webhook", properties }, notice)
  const [request] = receiver.received.splice(0)
  assert.match(request!.headers["content-type"]!, /^application\/json/)
  const { text, of } = JSON.parse(request!.body) as Record<string, unknown>
  assert.equal(text, name)
  assert.equal((of as { violating: boolean }).violating, true)
  const topicArn = "arn:aws:sns:eu-west-1:123456789012:alerts"
  await senderOf().deliver({ type: "sns", properties: { ...properties, topicArn } }, notice)
  const form = new URLSearchParams(receiver.received[0]!.body)
  assert.equal((JSON.parse(form.get("Message")!) as { text: string }).text, name)
})

test("slack gets an attachment, with its control characters escaped", async () => {
  const { json } = await sent("slack", { username: "tide", channel: "#ops" })
  const { text, username, channel, attachments } = json() as Record<string, unknown>
  assert.deepEqual([text, username, channel], [title, "tide", "#ops"])
  const [attachment] = attachments as Record<string, unknown>[]
  assert.equal(attachment!["color"], "#FF0000")
  assert.equal(attachment!["text"], 'cpu.total is 97; this is above "90" &amp; &lt;high&gt;.')
  assert.equal(attachment!["ts"], startMs / 1000)
})

test("teams gets an adaptive card", async () => {
  const { json } = await sent("teams", {}, "event_cleared")
  const { type, attachments } = json() as Record<string, unknown>
  assert.equal(type, "message")
  const [{ contentType, content }] = attachments as [{ contentType: string; content: object }]
  assert.equal(contentType, "application/vnd.microsoft.card.adaptive")
  assert.match(JSON.stringify(content), /"type":"AdaptiveCard".*CLEARED: High CPU on Web 1.*good/)
})

test("the end of the data is announced as that, not as a recovery (F3)", () => {
  const textOf = (closeReason: CloseReason) => {
    const message = { ...messageAt(startMs, 1, "event_cleared"), closeReason }
    const content = contentOf(message, "https://tidegauge.example.org")
    assert.equal(content.names["closeReason"], closeReason)
    return `${content.title}\n${content.text}`
  }
  const silent = /^CLEARED \(no data\): High CPU on Web 1\nNo data arrives .*\ncpu\.total is 97/
  assert.match(textOf("noData"), silent)
  assert.match(textOf("recovered"), /^CLEARED: High CPU on Web 1\ncpu\.total is 97/)
})

test("pagerduty triggers and resolves by one key, in either version", async () => {
  const on = (await sent("pagerduty", { serviceKey: "k1" })).json() as Record<string, unknown>
  const off = (await sent("pagerduty", { serviceKey: "k1" }, "event_cleared")).json()
  assert.deepEqual([on["routing_key"], on["event_action"]], ["k1", "trigger"])
  assert.deepEqual([on["dedup_key"], off["dedup_key"]], [incidentKey, incidentKey])
  assert.equal(off["event_action"], "resolve")
  const payload = on["payload"] as Record<string, unknown>
  const { summary, severity, source, timestamp } = payload
  const wanted = [title, "critical", "Web 1", "2026-01-05T14:05:00.000Z"]
  assert.deepEqual([summary, severity, source, timestamp], wanted)
  const url = urlOf("/generic/2010-04-15/create_event.json")
  const one = (await sent("pagerduty", { serviceKey: "k1", url })).json()
  assert.deepEqual([one["service_key"], one["incident_key"]], ["k1", incidentKey])
})

test("opsgenie creates an alert and closes it by its alias", async () => {
  const properties = { apiKey: "g1", url: urlOf("/v2/alerts") }
  const on = await sent("opsgenie", properties)
  assert.equal(on.headers.authorization, "GenieKey g1")
  const { alias, priority, description } = on.json() as Record<string, unknown>
  assert.deepEqual([alias, priority, description], [incidentKey, "P1", sentence])
  const off = await sent("opsgenie", properties, "event_cleared")
  const path = `/v2/alerts/${encodeURIComponent(incidentKey)}/close?identifierType=alias`
  assert.equal(off.path, path)
  await assert.rejects(sent("opsgenie", {}), /properties\.apiKey/)
})

test("sns publishes to a topic, signed, or posts a notification to a URL", async () => {
  const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "s" }
  const topicArn = "arn:aws:sns:eu-west-1:123456789012:alerts"
  const published = await sent("sns", { topicArn, ...keys })
  const form = new URLSearchParams(published.body)
  assert.equal(form.get("Action"), "Publish")
  assert.equal(form.get("TopicArn"), topicArn)
  assert.equal(form.get("Subject"), title)
  const message = JSON.parse(form.get("Message")!) as { policyName: string }
  assert.equal(message.policyName, "High CPU")
  assert.match(
    published.headers.authorization!,
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260105\/eu-west-1\/sns\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
  )
  const posted = await sent("sns", {})
  assert.equal(posted.headers["x-amz-sns-message-type"], "Notification")
  assert.equal(posted.json()["MessageId"], posted.notice.id)
  await assert.rejects(sent("sns", { topicArn: "nonsense" }), /or a topicArn such as/)
})

test("signatures are those of the published test suite (post-vanilla)", () => {
  const nowMs = Date.UTC(2015, 7, 30, 12, 36)
  const place = { region: "us-east-1", service: "service" }
  const call = { url: "https://example.amazonaws.com/", headers: {}, body: "", nowMs, ...place }
  const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  const { authorization } = signedHeaders(call, { accessKey: "AKIDEXAMPLE", secretKey })
  assert.match(
    authorization!,
    /Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b$/,
  )
})

test("an e-mail has subject, text and ids, and a refusal is reported", async () => {
  const sender = senderOf({ mail: mailTo(mailServer.url) })
  const notice = messageAt(startMs)
  const address = "a@example.com; b@example.com"
  await sender.deliver({ type: "email", properties: { address } }, notice)
  const [plain] = mailServer.mails
  assert.deepEqual(plain!.to, ["a@example.com", "b@example.com"])
  assert.match(plain!.text, /^Subject: CRITICAL: High CPU on Web 1\r$/m)
  assert.match(plain!.text, new RegExp(`^Message-ID: <${notice.id}@tidegauge>\r$`, "m"))
  assert.match(plain!.text, new RegExp(`^X-Tidegauge-Delivery: ${notice.id}\r$`, "im"))
  assert.match(plain!.text, /cpu\.total is 97/)
  const templates = { subjectTemplate: "T [${policyName}]", bodyTemplate: "<b>${elementName}</b>" }
  const custom = { address: "a@example.com", templateType: "custom", ...templates }
  await sender.deliver({ type: "email", properties: custom }, notice)
  assert.match(mailServer.mails[1]!.text, /^Subject: T \[High CPU\]\r$/m)
  assert.match(mailServer.mails[1]!.text, /^Content-Type: text\/html/m)
  const outcome = await sender.test(
    { type: "email", properties: { address: "nobody@example.com" } },
    0,
  )
  assert.equal(outcome.success, false)
  assert.match(outcome.content, /the mail server refused the message: .*no such mailbox/)
})

test("values in an HTML mail are escaped, and do not turn text into HTML (A14)", async () => {
  const sender = senderOf({ mail: mailTo(mailServer.url) })
  const event = { ...eventAt(startMs), element: { ...webOne, name: "<b onload=x>" } }
  const notice = { ...messageAt(startMs), event }
  const f = async (bodyTemplate: string, want: RegExp, type: RegExp) => {
    const properties = { address: "a@example.com", bodyTemplate }
    await sender.deliver({ type: "email", properties }, notice)
    const { text } = mailServer.mails.at(-1)!
    assert.match(text, type)
    assert.match(text, want)
  }

  const [html, plain] = [/^Content-Type: text\/html/m, /^Content-Type: text\/plain/m]
  await f("<p>${elementName}</p>", /<p>&lt;b onload(?:=|=3D)x&gt;<\/p>/, html)
  await f("<p>${elementName?html}</p>", /<p>&lt;b onload(?:=|=3D)x&gt;<\/p>/, html)
  await f("<p>${elementName?no_esc}</p>", /<p><b onload(?:=|=3D)x><\/p>/, html)
  await f("${elementName} is down", /^<b onload(?:=|=3D)x> is down/m, plain)
})

test("slack's template has its values escaped", async () => {
  const bodyTemplate = "<https://x|${elementName}> ${'<!channel>'}"
  const { json } = await sent("slack", { bodyTemplate })
  const [{ text }] = json()["attachments"] as unknown as [{ text: string }]
  assert.equal(text, "<https://x|Web 1> &lt;!channel&gt;")
})

test("a mail is sent without TLS only if --smtp-require-tls permits (A14)", async () => {
  const offering = await listenMail(() => false, { tls: true })
  const properties = { address: "a@example.com" }
  const outcome = (settings: MailSettings) =>
    senderOf({ mail: settings }).test({ type: "email", properties }, 0)
  const f = async (url: string, requireTls: RequireTls, want: boolean) => {
    const { success, content } = await outcome(mailTo(url, requireTls))
    assert.equal(success, want, content)
    if (!want) assert.match(content, /it cannot be spoken to by TLS \(see --smtp-require-tls\)/)
  }
  // The certificate of the test's server is its own.
  await f(`${offering.url}/?tls.rejectUnauthorized=false`, "yes", true)
  await f(offering.url, "no", true)
  await f(mailServer.url, "yes", false)
  await f(mailServer.url, "no", true)
  await f(mailServer.url, "auto", true)
  assert.equal(offering.mails.length, 2)
  assert.deepEqual(offering.secured, [true, true])
  await offering.close()
})

test("auto requires TLS if a password would be sent over a network (A14)", () => {
  const f = (url: string, want: boolean) => assert.equal(needsTls(url, "auto"), want, url)
  f("smtp://mail.example", false)
  f("smtp://u:p@mail.example", true)
  f("smtp://u:p@10.0.0.1:2525", true)
  f("smtp://u:p@localhost", false)
  f("smtp://u:p@127.0.0.1:25", false)
  f("smtp://u:p@[::1]", false)
  f("smtp://u:p@127.example", true)
})

test("no header or recipient can be injected by a subject or an address", async () => {
  const sender = senderOf({ mail: mailTo(mailServer.url) })
  const subjectTemplate = "x\r\nBcc: evil@example.com"
  const properties = { address: "a@example.com", subjectTemplate }
  await sender.deliver({ type: "email", properties }, messageAt(startMs))
  const last = mailServer.mails.at(-1)!
  assert.deepEqual(last.to, ["a@example.com"])
  assert.doesNotMatch(last.text, /^Bcc/m)
  for (const address of ["", "a", "a@b>\r\nRCPT TO:<c@d", "file:///etc/passwd"])
    await assert.rejects(
      sender.deliver({ type: "email", properties: { address } }, messageAt(startMs)),
      /e-mail addresses/,
    )
})

test("tests report success and every kind of failure in words", async () => {
  const sender = senderOf()
  const outcome = (type: string, properties: Record<string, string>, by = sender) =>
    by.test({ type, properties }, 0)
  assert.deepEqual(await outcome("webhook", { url: urlOf() }), {
    success: true,
    content: "Successfully processed message",
  })
  const failures = [
    [await outcome("webhook", { url: urlOf("/gone") }), /status of 200 to 299, got 410/],
    [await outcome("hipchat", {}), /type hipchat are kept but cannot be delivered/],
    [await outcome("email", { address: "a@example.com" }), /no mail server is set/],
    [await outcome("webhook", { url: urlOf(), postContentTemplate: "${'x'?number}" }), /template:/],
    [await outcome("slack", { url: urlOf() }, senderOf({ allowed: null })), /a public address/],
  ] as const
  for (const [{ success, content }, wanted] of failures) {
    assert.equal(success, false)
    assert.match(content, wanted)
  }
})
