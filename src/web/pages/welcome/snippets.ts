/**
 * What a person pastes to send data: the tabs of the page, and the same texts in the handbook
 * (`npm run docs`). `test/api/snippets.test.ts` runs each of them.
 */

export interface SnippetAddress {
  /** Of the server, without a slash at the end. */
  readonly url: string
  /** An API key. */
  readonly key: string
}

export interface Snippet {
  readonly name: "curl" | "linux" | "windows" | "statsd" | "java" | "collectd"
  readonly title: string
  /** The protocol of `GET /status` that it needs. */
  readonly protocol: string
  /** Where it is pasted. */
  readonly where: string
  readonly language: "sh" | "ini" | "xml" | "properties"
  readonly code: (address: SnippetAddress) => string
}

/** Of an agent that has one address and one key. */
const urlAndKey =
  (kind: string) =>
  ({ url, key }: SnippetAddress): string =>
    `url = ${url}/ingest/${kind}\napi_key = ${key}`

const curlBody = [
  `[{"id":"my-server","type":"SERVER",`,
  `    "metrics":[{"id":"cpu.total","unit":"percent"}],`,
  `    "samples":[{"metricId":"cpu.total","val":42}]}]`,
].join("\n")

export const snippets: readonly Snippet[] = [
  {
    name: "curl",
    title: "curl",
    protocol: "json",
    where: "In a shell. Each time it is pasted, my-server has one sample more.",
    language: "sh",
    code: ({ url, key }) =>
      [
        `curl -X POST ${url}/ingest/${key} \\`,
        `  -H 'X-Service-Api-Options: INJECT_TIMESTAMP,SEND_RESPONSE_BODY' \\`,
        `  -d '${curlBody}'`,
      ].join("\n"),
  },
  {
    name: "linux",
    title: "Linux agent",
    protocol: "json",
    where:
      "In the agent's configuration: these replace its url and api_key. Then restart the agent.",
    language: "ini",
    code: urlAndKey("infrastructure"),
  },
  {
    name: "windows",
    title: "Windows agent",
    protocol: "json",
    where:
      "In the agent's file config\\WriteNetuitive.config: this replaces the line. " +
      "Then restart the service.",
    language: "xml",
    code: ({ url, key }) => `<WriteNetuitive Url="${url}/ingest/windows/${key}" />`,
  },
  {
    name: "statsd",
    title: "StatsD agent",
    protocol: "json",
    where:
      "In the agent's configuration: these replace its url and api_key. Then restart the agent.",
    language: "ini",
    code: urlAndKey("statsd"),
  },
  {
    name: "java",
    title: "Java agent",
    protocol: "json",
    where:
      "In the agent's file zorka.properties: these replace its lines. " +
      "Then restart the application.",
    language: "properties",
    // The agent itself adds /ingest/java and the key to the address.
    code: ({ url, key }) =>
      `netuitive.api = yes\nnetuitive.api.url = ${url}\nnetuitive.api.key = ${key}`,
  },
  {
    name: "collectd",
    title: "collectd",
    protocol: "collectd",
    where: "In collectd.conf. Then restart collectd.",
    language: "xml",
    code: ({ url, key }) =>
      [
        "LoadPlugin write_http",
        "<Plugin write_http>",
        `  <Node "tidegauge">`,
        `    URL "${url}/ingest/collectd/${key}"`,
        `    Format "JSON"`,
        "    StoreRates false",
        "  </Node>",
        "</Plugin>",
      ].join("\n"),
  },
]

/** Snippets of what the server reads. */
export function servedSnippets(protocols: readonly string[]): Snippet[] {
  return snippets.filter(({ protocol }) => protocols.includes(protocol))
}
