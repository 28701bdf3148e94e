/**
 * Sender for Amazon SNS and compatible services. With a `topicArn`: the Publish action
 * (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html), signed if keys are set. With a
 * `url` only: the JSON that SNS itself posts to subscribers over HTTP
 * (https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html), without a signature.
 */

import { invalid } from "../../base/errors.ts"
import { formatInstant } from "../../base/iso8601.ts"
import { bodyWithin } from "../body-within.ts"
import { truncate, truncateBytes } from "../../base/text/truncate.ts"
import { renderContent, type MessageContent } from "../message-content.ts"
import { signedHeaders } from "./aws-signature.ts"
import { snsLimits } from "./limits.ts"
import { shortened } from "../shortened.ts"
import { jsonRequest, propertyOf, templateOf, type Sender } from "./sender.ts"

export const sns: Sender = ({ properties, message, nowMs }) => {
  const topicArn = propertyOf(properties, "topicArn") ?? propertyOf(properties, "topic")
  const url = propertyOf(properties, "url")
  const text = textOf(message, templateOf(properties, "postContentTemplate"))
  const subject = subjectOf(message)
  if (topicArn === undefined) {
    if (url === undefined) throw invalid(expected)
    const Timestamp = formatInstant(nowMs)
    const MessageId = message.deliveryId
    const TopicArn = "arn:aws:sns:local:000000000000:tidegauge"
    const headers = { "x-amz-sns-message-type": "Notification", "x-amz-sns-message-id": MessageId }
    const note = { Type: "Notification", MessageId, TopicArn, Subject: subject, Timestamp }
    return jsonRequest(url, { ...note, Message: text }, { ...headers, "content-type": plainText })
  }
  const region = /^arn:[\w-]+:sns:([\w-]+):\d*:.+$/.exec(topicArn)?.[1]
  if (region === undefined) throw invalid(expected)
  const fields = {
    Action: "Publish",
    Version: "2010-03-31",
    TopicArn: topicArn,
    Subject: subject,
    Message: text,
    "MessageAttributes.entry.1.Name": "deliveryId",
    "MessageAttributes.entry.1.Value.DataType": "String",
    "MessageAttributes.entry.1.Value.StringValue": message.deliveryId,
  }
  const body = new URLSearchParams(fields).toString()
  const to = url ?? `https://sns.${region}.amazonaws.com/`
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }
  const accessKey = propertyOf(properties, "accessKeyId") ?? propertyOf(properties, "accessKey")
  const secretKey = propertyOf(properties, "secretAccessKey") ?? propertyOf(properties, "secretKey")
  if (accessKey === undefined || secretKey === undefined) return { url: to, headers, body }
  const call = { url: to, headers, body, nowMs, region, service: "sns" }
  return { url: to, headers: signedHeaders(call, { accessKey, secretKey }), body }
}

/** SNS sends JSON with this type. */
const plainText = "text/plain; charset=UTF-8"

const expected =
  "notification.properties: expected a url, or a topicArn such as " +
  "arn:aws:sns:eu-west-1:123456789012:alerts"

function textOf(message: MessageContent, template: string | undefined): string {
  const { messageBytes } = snsLimits
  if (template !== undefined) return truncateBytes(renderContent(template, message), messageBytes)
  const { images: _, ...fields } = message.names
  // JSON that is cut would be none, so lists and texts in it are.
  return JSON.stringify(bodyWithin(messageBytes, messageBytes, (max) => shortened(fields, max)))
}

/** Each character that is not ASCII becomes one that is, so it is cut after that. */
function subjectOf({ title }: MessageContent): string {
  return truncate(title.replace(/[^\x20-\x7e]/gu, "?"), snsLimits.subject, "...")
}
