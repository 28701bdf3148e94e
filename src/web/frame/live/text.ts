/** Words of the parts of the frame that are loaded after the first data of a page. */

export const text = {
  silentElements: (silent: string, total: string, time: string) =>
    `${silent} of ${total} elements have sent nothing since ${time}`,
  silentType: (silent: string, type: string, time: string) =>
    `All ${silent} elements of type ${type} have sent nothing since ${time}`,
  silentTypes: (count: number) => `, and all of ${count} more ${count === 1 ? "type" : "types"}`,
  showSilent: "Show them",
  cycle: (time: string, took: string) => `cycle ${time} closed in ${took}`,
  cycleWithoutTime: (time: string) => `cycle ${time} closed`,
  dataTo: (time: string) => `data to ${time}`,
  oldDataTo: (time: string, age: string) => `data to ${time}, ${age} old`,
  noData: (started: string) => `no data since the start at ${started}`,
}
