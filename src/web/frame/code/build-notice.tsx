/** A button in the status line if the document should be loaded again; a person chooses when. */

import { isCodeMissing } from "../../platform/code.ts"
import { useApp } from "../app.ts"
import { useOnReturn } from "../live/use-live.ts"
import style from "./build-notice.module.css"
import { text } from "./text.ts"
import { useDocumentReload } from "./use-document-reload.ts"

export function BuildNotice() {
  const { build, live } = useApp()
  const reload = useDocumentReload()
  useOnReturn(() => void build.check())
  const isMissing = isCodeMissing.value && live.state.value.kind === "connected"
  if (!build.isOutdated.value && !isMissing) return null
  return (
    <span role="status">
      <button type="button" class={style["reload"]} onClick={reload}>
        {build.isOutdated.value ? text.newVersion : text.partMissing}
      </button>
    </span>
  )
}
