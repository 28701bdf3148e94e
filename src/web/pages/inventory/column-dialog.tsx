/** The choice of columns: those that every element has, and tags, attributes and metrics by name. */

import cross from "heroicons/20/solid/x-mark.svg"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { findMetricNames } from "../../api/metric-names.ts"
import { visibleText } from "../../format/visible-text.ts"
import { useApp } from "../../frame/app.ts"
import { useLoaded } from "../../frame/use-loaded.ts"
import { Button } from "../../parts/button.tsx"
import { Combobox } from "../../parts/combobox/combobox.tsx"
import { Dialog, DialogActions } from "../../parts/dialog.tsx"
import { CheckField } from "../../parts/field.tsx"
import { InlineSelect } from "../../parts/inline-select.tsx"
import {
  columnText,
  columnsParameter,
  defaultColumns,
  keyedKinds,
  plainColumns,
  withColumn,
  type ColumnChoice,
  type KeyedKind,
} from "./column-choice.ts"
import style from "./inventory.module.css"
import type { InventoryState } from "./inventory-state.ts"
import { text } from "./text.ts"

interface ColumnDialogProps {
  readonly state: InventoryState
  readonly onClose: () => void
}

export function ColumnDialog({ state, onClose }: ColumnDialogProps) {
  const { columns, setColumns, addColumn } = state
  const without = (name: string) => columns.filter((one) => columnText(one) !== name)
  const keyed = columns.filter((one) => one.kind !== "plain")
  return (
    <Dialog title={text.columns} closeName={text.close} onClose={onClose}>
      <div class={style["plainColumns"]}>
        {plainColumns.map((name) => (
          <CheckField
            key={name}
            label={text[name]}
            checked={columns.some((one) => columnText(one) === name)}
            onValue={(isShown) => {
              if (isShown) addColumn({ kind: "plain", name })
              else setColumns(without(name))
            }}
          />
        ))}
      </div>
      {keyed.length > 0 && (
        <ul class={style["keyedColumns"]} aria-label={text.addedColumns}>
          {keyed.map((one) => (
            <li key={columnText(one)}>
              <span dir="auto">{columnTitle(one)}</span>
              <Button
                kind="quiet"
                icon={cross}
                iconName={text.removeColumn(columnTitle(one))}
                onClick={() => setColumns(without(columnText(one)))}
              />
            </li>
          ))}
        </ul>
      )}
      <AddColumn columns={columns} onAdd={addColumn} />
      <DialogActions>
        <Button onClick={() => setColumns(defaultColumns)}>{text.defaultColumns}</Button>
        <Button kind="main" onClick={onClose}>
          {text.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The head of a column. */
export function columnTitle(choice: ColumnChoice): string {
  if (choice.kind === "plain") return text[choice.name]
  return text.keyed[choice.kind](visibleText(choice.key))
}

interface AddColumnProps {
  readonly columns: readonly ColumnChoice[]
  readonly onAdd: (added: ColumnChoice) => void
}

function AddColumn({ columns, onAdd }: AddColumnProps) {
  const [kind, setKind] = useState<KeyedKind>("metric")
  const [typed, setTyped] = useState("")
  const [problem, setProblem] = useState("")
  const suggestions = useMetricNames(kind === "metric" ? typed : "")
  const added = useRef(columns)
  useLayoutEffect(() => {
    added.current = columns
  }, [columns.length])
  const add = (key: string): void => {
    // The field is a new one after each, and the former one is left with what was typed.
    if (key === "" || added.current !== columns) return
    const next = withColumn(columns, { kind, key })
    // The parameter knows which columns fit an address.
    const isRead = columnsParameter.parse(columnsParameter.print(next)) !== undefined
    setProblem(isRead ? "" : text.columnRefused)
    if (!isRead) return
    added.current = next
    onAdd({ kind, key })
    setTyped("")
  }
  return (
    <div class={style["addColumn"]}>
      <InlineSelect
        label={text.columnKind}
        value={kind}
        options={keyedKinds.map((value) => ({ value, text: text.kinds[value] }))}
        onValue={(next) => {
          setKind(next)
          setTyped("")
        }}
      />
      <Combobox
        key={`${kind} ${columns.length}`}
        label={text.columnName}
        placeholder={text.columnName}
        value=""
        suggestions={suggestions}
        note={suggestions.length === 0 ? text.columnNote : text.columnsFound(suggestions.length)}
        onType={setTyped}
        onChoose={add}
        autofocus
      />
      <p role="status" class={style["problem"]}>
        {problem}
      </p>
    </div>
  )
}

function useMetricNames(typed: string): readonly { readonly value: string }[] {
  const { api } = useApp()
  const { value } = useLoaded(typed === "" ? null : typed, (signal) =>
    findMetricNames(api, typed, signal),
  )
  return typed === "" ? [] : (value?.names ?? []).map(({ fqn }) => ({ value: fqn }))
}
