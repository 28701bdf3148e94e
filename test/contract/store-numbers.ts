/** Translates numbers of series and elements between two catalogues, by name. */

import assert from "node:assert/strict"
import type { Catalogue } from "../../src/catalogue/catalogue.ts"
import type { CycleBatch } from "../../src/store/cycle-store.ts"
import { findSeries } from "../support/ingest/samples.ts"
import type { SeriesName } from "../support/ingest/samples.ts"

export class Numbers {
  private readonly subject: Catalogue
  private readonly model: Catalogue

  constructor(subject: Catalogue, model: Catalogue) {
    this.subject = subject
    this.model = model
  }

  /** The subject's numbers of these series of the model. */
  ofSubject(series: Int32Array): Int32Array {
    return series.map((one) => known(findSeries(this.subject, nameOf(this.model, one)), one))
  }

  /** The model's number of a series of the subject. */
  ofModel(series: number): number {
    return known(findSeries(this.model, nameOf(this.subject, series)), series)
  }

  /** Rows that begin with a series of the subject: those of the model, in the model's order. */
  rowsOfModel(rows: readonly number[][]): number[][] {
    return rows
      .filter(([series]) => findSeries(this.model, nameOf(this.subject, series!)) >= 0)
      .map(([series, ...rest]) => [this.ofModel(series!), ...rest])
      .sort(([left], [right]) => left! - right!)
  }

  /** A cycle batch of the model as the subject is given it. */
  batchOfSubject(batch: CycleBatch): CycleBatch {
    const { gapFills, computed, actualKinds, bands } = batch
    return {
      ...batch,
      gapFills: { ...gapFills, series: this.ofSubject(gapFills.series) },
      computed: { ...computed, elements: this.elementsOfSubject(computed.elements) },
      actualKinds: { ...actualKinds, series: this.ofSubject(actualKinds.series) },
      bands: { ...bands, series: this.ofSubject(bands.series) },
    }
  }

  private elementsOfSubject(elements: Int32Array): Int32Array {
    const { subject, model } = this
    return elements.map((one) =>
      known(subject.findElement(model.elementTenant(one), model.elementFqn(one)), one),
    )
  }
}

function nameOf(catalogue: Catalogue, series: number): SeriesName {
  const element = catalogue.seriesElement(series)
  return {
    tenant: catalogue.elementTenant(element),
    element: catalogue.elementFqn(element),
    metric: catalogue.name(catalogue.seriesName(series)).fqn,
  }
}

function known(found: number, asked: number): number {
  assert.ok(found >= 0, `Expected a catalogue that knows number ${asked} of the other`)
  return found
}
