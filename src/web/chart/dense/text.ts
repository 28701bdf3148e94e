/** Words of the layer of lines, in English. */

export const text = {
  noWorker: "a part of the page could not be loaded",
}
