/** Parts of the frame that are loaded after the first data of a page, as one file. */

export { CycleAndData } from "./cycle-and-data.tsx"
export { SilenceBar } from "./silence-bar.tsx"
