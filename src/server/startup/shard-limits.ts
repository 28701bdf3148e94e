/** The limits of the shard, from the settings. */

import type { Config } from "../../config/config.ts"
import type { ShardLimits } from "../../engine/shard-protocol.ts"

export function shardLimits(config: Config): ShardLimits {
  const { seriesMax, newSeriesPerMinuteMax, textBytesMax, diskFloorBytes, diskQuotaBytes } = config
  const cardinality = { seriesMax, newSeriesPerMinuteMax, textBytesMax }
  return { cardinality, diskFloorBytes, diskQuotaBytes }
}
