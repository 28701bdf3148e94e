/**
 * What runs inside the measured page, before its own scripts: notes when something is in sight, how
 * far frames are apart, and how long the browser takes from an input to the frame that shows it.
 */

import type { Page } from "playwright-core"

/** Plain text, since it is no code of this process: `recorder` is a global of the page. */
const source = `
globalThis.recorder = {
  seen: {}, wanted: {}, frames: [], isRecording: false, events: new Map(),
  want(selectors) { Object.assign(this.wanted, selectors) },
  frame(now) {
    for (const [name, selector] of Object.entries(this.wanted)) {
      if (!(name in this.seen) && document.querySelector(selector)) this.seen[name] = now
    }
    if (this.isRecording) this.frames.push(now)
    requestAnimationFrame((next) => this.frame(next))
  },
  start() { this.frames = []; this.isRecording = true },
  stop() {
    this.isRecording = false
    return this.frames.slice(1).map((time, i) => time - this.frames[i])
  },
  inputs() { const all = [...this.events.values()]; this.events.clear(); return all },
}
requestAnimationFrame((now) => recorder.frame(now))
new PerformanceObserver((list) => {
  for (const { interactionId: id, duration } of list.getEntries()) {
    if (id > 0) recorder.events.set(id, Math.max(duration, recorder.events.get(id) ?? 0))
  }
}).observe({ type: "event", durationThreshold: 16 })
`

/** `selectors`: what is waited for, by name. Before the page is opened. */
export async function record(page: Page, selectors: Readonly<Record<string, string>> = {}) {
  await page.addInitScript(`${source}\nrecorder.want(${JSON.stringify(selectors)})`)
}

/** Milliseconds from the start of the navigation to the frame in which it is in sight. */
export async function seenAt(page: Page, name: string): Promise<number> {
  const isSeen = `recorder.seen[${JSON.stringify(name)}]`
  for (;;) {
    const ms: number | null = await page.evaluate(`${isSeen} ?? null`)
    if (ms !== null) return ms
    await page.waitForTimeout(20)
  }
}

export async function startFrames(page: Page): Promise<void> {
  await page.evaluate("recorder.start()")
}

/** Milliseconds between one frame and the next since the start. */
export function stopFrames(page: Page): Promise<number[]> {
  return page.evaluate("recorder.stop()")
}

/**
 * Milliseconds from each input to its frame, since the last call. The browser reports those of
 * 16 ms and more, in steps of 8; `count` is how many there were.
 */
export async function takeInputs(page: Page, count: number): Promise<number[]> {
  // The browser reports an input after its frame.
  await page.waitForTimeout(200)
  const told: number[] = await page.evaluate("recorder.inputs()")
  const quick = Array.from({ length: Math.max(0, count - told.length) }, () => 8)
  return [...told, ...quick]
}
