/** Laws of the colours of series: seen on both surfaces, and distinct to most eyes. */

import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { rootFolder } from "../support/project-paths.ts"

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

/** Machado, Oliveira, Fernandes 2009, severity 1: linear RGB as it is seen with each deficiency. */
const sights: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const tokens = readFileSync(join(rootFolder, "src/web/style/tokens.css"), "utf8")

/** Linear RGB of a token on the light or the dark theme. */
function token(name: string, theme: 0 | 1): Triple {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)
  const colour = found?.[theme + 1]
  assert.ok(colour !== undefined, `tokens.css has no pair for ${name}`)
  const part = (from: number): number => {
    const share = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function product(matrix: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple): number => a * x + b * y + c * z
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

function okLab(rgb: Triple): Triple {
  const [l, m, s] = product(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  )
  return product(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  )
}

/** Of two colours in OKLab × 100, as they are seen with a deficiency. */
function distance(one: Triple, other: Triple, sight: Matrix): number {
  const seen = (colour: Triple): Triple => {
    const [r, g, b] = product(sight, colour)
    const within = (part: number): number => Math.min(1, Math.max(0, part))
    return okLab([within(r), within(g), within(b)])
  }
  const [a, b] = [seen(one), seen(other)]
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** WCAG's contrast of two colours. */
function contrast(one: Triple, other: Triple): number {
  const light = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  return Math.max(light(one), light(other)) / Math.min(light(one), light(other))
}

const distanceMin = 9.9
const contrastMin = 3
/** Of the first five, which the best of many lines take, as they are seen normally. */
const apartMin = 16.9
/** A darker line is taken for black, and a lighter one on dark for white. */
const contrastMax = [8, 14] as const

for (const [theme, name] of ["light", "dark"].entries() as Iterable<[0 | 1, string]>) {
  const series = Array.from({ length: 8 }, (_, i) => token(`series-${i}`, theme))

  test(`the colours of series are seen on both ${name} surfaces`, () => {
    for (const [i, colour] of series.entries()) {
      for (const surface of ["surface", "raised"]) {
        const seen = contrast(colour, token(surface, theme))
        const text = `series-${i} on ${surface}: ${seen.toFixed(2)}`
        assert.ok(seen >= contrastMin && seen <= contrastMax[theme], text)
      }
    }
  })

  test(`any two ${name} colours of series are distinct, to colour-blind eyes as well`, () => {
    for (const [sight, matrix] of Object.entries(sights)) {
      for (const [i, one] of series.entries()) {
        for (const [k, other] of series.slice(0, i).entries()) {
          const apart = distance(one, other, matrix)
          const text = `series-${k} and series-${i} with ${sight}: ${apart.toFixed(1)}`
          assert.ok(apart >= distanceMin, text)
        }
      }
    }
  })

  test(`the first five ${name} colours of series differ more`, () => {
    for (const [i, one] of series.slice(0, 5).entries()) {
      for (const [k, other] of series.slice(0, i).entries()) {
        const apart = distance(one, other, sights["normal"]!)
        assert.ok(apart >= apartMin, `series-${k} and series-${i}: ${apart.toFixed(1)}`)
      }
    }
  })
}
