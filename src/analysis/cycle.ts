/**
 * Numbers of cycles, and the slots of the weekly pattern that a cycle touches.
 *
 *     daily    48 slots of 30 minutes, the same every day     0 … 47
 *     weekly  168 slots of 60 minutes, differing by day      48 … 215
 *
 * The value of a slot applies to the middle of its time. A cycle is between two middles of each
 * kind and is interpolated between them, so it touches four slots.
 */

import { cycleMs, cyclesPerDay } from "../model/resolution.ts"

export const cyclesPerWeek = 7 * cyclesPerDay

const cyclesPerDailySlot = 6
const cyclesPerWeeklySlot = 12
const dailySlots = cyclesPerDay / cyclesPerDailySlot
const weeklySlots = cyclesPerWeek / cyclesPerWeeklySlot

/** Slots of one metric's whole pattern. */
export const patternSlots = dailySlots + weeklySlots
/** Slots that one cycle reads and writes: two daily ones, then two weekly ones. */
export const slotsPerCycle = 4

/** Number of the cycle that holds an instant: whole five-minute steps since the epoch. */
export function cycleOf(epochMs: number): number {
  return Math.floor(epochMs / cycleMs)
}

/** Start of a cycle, in epoch milliseconds. */
export function cycleStartMs(cycle: number): number {
  return cycle * cycleMs
}

/**
 * The four slots of a cycle, as numbers in [0, patternSlots): daily earlier, daily later, weekly
 * earlier, weekly later. Earlier and later differ. Neighbouring cycles mostly share them: the
 * result changes every six cycles.
 */
export function slotsOfCycle(cycle: number): readonly [number, number, number, number] {
  const daily = Math.floor(middle(cycle, cyclesPerDay, cyclesPerDailySlot))
  const weekly = Math.floor(middle(cycle, cyclesPerWeek, cyclesPerWeeklySlot))
  return [
    (daily + dailySlots) % dailySlots,
    (daily + 1) % dailySlots,
    dailySlots + ((weekly + weeklySlots) % weeklySlots),
    dailySlots + ((weekly + 1) % weeklySlots),
  ]
}

/** Weight of the later daily slot in the interpolation, in [0, 1). */
export function dailyShare(cycle: number): number {
  const at = middle(cycle, cyclesPerDay, cyclesPerDailySlot)
  return at - Math.floor(at)
}

/** Weight of the later weekly slot in the interpolation, in [0, 1). */
export function weeklyShare(cycle: number): number {
  const at = middle(cycle, cyclesPerWeek, cyclesPerWeeklySlot)
  return at - Math.floor(at)
}

/** The middle of a cycle, in slots of `width` cycles, where 0 is the middle of the first slot. */
function middle(cycle: number, period: number, width: number): number {
  const phase = ((cycle % period) + period) % period
  return (phase + 0.5) / width - 0.5
}
