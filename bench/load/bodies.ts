/** Request bodies: one workload in the form each server reads. All carry the same samples. */

import type { Cut, Workload } from "./workload.ts"

export type BodyFormat = "tidegauge" | "opentsdb" | "import" | "line"

const environments = ["prod", "prod", "prod", "staging", "dev"]
const locations = ["eu-west-1a", "eu-west-1b", "us-east-1a"]
const environmentOf = (element: number) => environments[element % environments.length]!

/** Values are finite and print as JSON numbers in every format. */
export const bodies: Readonly<Record<BodyFormat, (workload: Workload, cut: Cut) => string>> = {
  tidegauge: tidegaugeBody,
  opentsdb: openTsdbBody,
  import: importBody,
  line: lineBody,
}

/** Our own: elements with their metrics declared, samples by metric and time. */
function tidegaugeBody(workload: Workload, cut: Cut): string {
  const { metricList } = workload
  const declared = metricList
    .map(({ fqn, unit, isCounter }) => {
      return `{"id":"${fqn}","unit":"${unit}"${isCounter ? ',"type":"COUNTER"' : ""}}`
    })
    .join(",")
  const posts: string[] = []
  for (let element = cut.elementFrom; element < cut.elementTo; element++) {
    const samples: string[] = []
    for (let minute = cut.minuteFrom; minute < cut.minuteTo; minute++) {
      const rest = `,"timestamp":${workload.timeMs(minute)},"val":`
      for (let metric = 0; metric < metricList.length; metric++) {
        const value = workload.value(minute, element, metric)
        samples.push(`{"metricId":"${metricList[metric]!.fqn}"${rest}${value}}`)
      }
    }
    const id = workload.elementIds[element]!
    const tags = `[{"name":"env","value":"${environmentOf(element)}"}]`
    const place = locations[element % locations.length]!
    posts.push(
      `{"id":"${id}","name":"${id}","type":"SERVER","location":"${place}","tags":${tags},` +
        `"metrics":[${declared}],"samples":[${samples.join(",")}]}`,
    )
  }
  return `[${posts.join(",")}]`
}

/** OpenTSDB `/api/put`: one object a sample, seconds, tags repeated. */
function openTsdbBody(workload: Workload, cut: Cut): string {
  const points: string[] = []
  eachSample(workload, cut, (fqn, element, minute, value) => {
    const seconds = workload.timeMs(minute) / 1000
    const id = workload.elementIds[element]!
    const tags = `{"element":"${id}","type":"SERVER","env":"${environmentOf(element)}"}`
    points.push(`{"metric":"${fqn}","timestamp":${seconds},"value":${value},"tags":${tags}}`)
  })
  return `[${points.join(",")}]`
}

/** VictoriaMetrics' `/api/v1/import`: one line a series, its labels once, then values and times. */
function importBody(workload: Workload, cut: Cut): string {
  const times: number[] = []
  for (let minute = cut.minuteFrom; minute < cut.minuteTo; minute++) {
    times.push(workload.timeMs(minute))
  }
  const lines: string[] = []
  for (let element = cut.elementFrom; element < cut.elementTo; element++) {
    const of = `"element":"${workload.elementIds[element]!}","env":"${environmentOf(element)}"`
    for (const [metric, { fqn }] of workload.metricList.entries()) {
      const values = times.map((_, i) => workload.value(cut.minuteFrom + i, element, metric))
      const labels = `{"__name__":"${fqn}",${of},"type":"SERVER"}`
      lines.push(`{"metric":${labels},"values":[${values}],"timestamps":[${times}]}\n`)
    }
  }
  return lines.join("")
}

/** Influx line protocol: one line a sample, nanoseconds. */
function lineBody(workload: Workload, cut: Cut): string {
  const lines: string[] = []
  eachSample(workload, cut, (fqn, element, minute, value) => {
    const tags = `element=${workload.elementIds[element]},env=${environmentOf(element)},type=SERVER`
    lines.push(`${fqn},${tags} value=${value} ${workload.timeMs(minute)}000000\n`)
  })
  return lines.join("")
}

function eachSample(
  workload: Workload,
  cut: Cut,
  visit: (fqn: string, element: number, minute: number, value: number) => void,
): void {
  for (let minute = cut.minuteFrom; minute < cut.minuteTo; minute++) {
    for (let element = cut.elementFrom; element < cut.elementTo; element++) {
      workload.metricList.forEach(({ fqn }, metric) =>
        visit(fqn, element, minute, workload.value(minute, element, metric)),
      )
    }
  }
}
