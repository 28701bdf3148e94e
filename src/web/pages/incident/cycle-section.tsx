/** The table of cycles: each condition's value, whether it holds, and whether the policy fires. */

import type { Element } from "../../api/element.ts"
import type { PolicyCopy } from "../../api/incident/incident-answer.ts"
import { fullValueText, valueText } from "../../format/numbers.ts"
import { clockText, timeText } from "../../format/times.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { classNames } from "../../parts/class-names.ts"
import { Segments } from "../../parts/segments.tsx"
import { Skeleton } from "../../parts/states.tsx"
import type { CycleCell, CycleRow, FiringCell } from "./cycle-table.ts"
import { FailedPart } from "./failed.tsx"
import style from "./incident.module.css"
import { text } from "./text.ts"
import { cycleParts, type ReplayedCycles } from "./replayed-cycles.ts"
import { useCyclePart, type SectionProps } from "./use-findings.ts"

/** Nothing for a policy that compares no values. */
export function CycleSection({ findings }: SectionProps) {
  const { latest, cycles } = findings
  const { part, setPart } = useCyclePart()
  const policy = latest.value?.event?.policy ?? null
  if (policy === null || policy.conditions.length === 0 || findings.isElementDeleted) return null
  const { value, error, isLoading, reload } = cycles
  return (
    <section class={style["section"]}>
      <div class={style["titleRow"]}>
        <h2>{text.cycles}</h2>
        {value?.isPart === true && (
          <Segments
            label={text.cyclesPart}
            value={part}
            options={cycleParts.map((one) => ({ value: one, text: text.parts[one] }))}
            onValue={setPart}
          />
        )}
      </div>
      <FailedPart error={error} onRetry={reload} />
      {value === null && isLoading && <Skeleton text={text.loading} rows={3} />}
      {value !== null && (
        <>
          <Cycles replayed={value} policy={policy} element={latest.value!.element} />
          <p class="secondary">{value.table.isChanged ? text.changed : text.unchanged}</p>
        </>
      )}
    </section>
  )
}

interface CyclesProps {
  readonly replayed: ReplayedCycles
  readonly policy: PolicyCopy
  readonly element: Element | null
}

function Cycles({ replayed: { table }, policy, element }: CyclesProps) {
  const times = useApp().preferences.timeStyle.value
  return (
    <div tabIndex={0} role="region" aria-label={text.cyclesTable}>
      <table class={style["cycles"]} aria-label={text.cyclesTable}>
        <thead>
          <tr>
            <th scope="col">{text.cycle}</th>
            {table.timestamps.map((ms) => (
              <th key={ms} scope="col" class="number" title={timeText(ms, times)}>
                {clockText(ms, times)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => {
            const isValue =
              policy.conditions[Number(row.conditionId)]?.analytic !== "suddenDeviation"
            const unit = isValue ? (element?.units.get(row.metricFqn) ?? "") : "percent"
            return <ConditionRow key={row.conditionId + row.metricFqn} row={row} unit={unit} />
          })}
          <tr>
            <th scope="row">{text.fires}</th>
            {table.firing.map((cell, i) => (
              <FiringCellOf key={table.timestamps[i]} cell={cell} />
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function ConditionRow({ row, unit }: { readonly row: CycleRow; readonly unit: string }) {
  return (
    <tr>
      <th scope="row" dir="auto">
        {visibleText(row.metricFqn)}
      </th>
      {row.cells.map((cell, i) => (
        <ValueCell key={i} cell={cell} unit={unit} />
      ))}
    </tr>
  )
}

const signs = { holds: "✔", not: "", noValue: "–", noBand: "" } as const

function ValueCell({ cell, unit }: { readonly cell: CycleCell; readonly unit: string }) {
  const numbers = useApp().preferences.numberStyle.value
  const { state, value, recorded } = cell
  const hasRemark = state === "noValue" || state === "noBand"
  return (
    <td
      class={classNames("number", style[state], recorded !== null && style["late"])}
      title={value === null ? text.states.noValue : fullValueText(value, unit)}
    >
      <span aria-hidden="true">{signs[state]}</span>{" "}
      {value !== null && valueText(value, unit, numbers)}
      <span class={hasRemark ? style["remark"] : "visually-hidden"}> {text.states[state]}</span>
      {recorded !== null && (
        <span class={style["remark"]}> {text.was(valueText(recorded, unit, numbers))}</span>
      )}
    </td>
  )
}

function FiringCellOf({ cell: { fires, recorded } }: { readonly cell: FiringCell }) {
  return (
    <td class={classNames("number", fires && style["holds"], recorded !== null && style["late"])}>
      <span aria-hidden="true">{fires ? "✔" : "–"}</span>
      <span class="visually-hidden">{fires ? text.yes : text.no}</span>
      {recorded !== null && (
        <span class={style["remark"]}> {recorded ? text.firedThen : text.silentThen}</span>
      )}
    </td>
  )
}
