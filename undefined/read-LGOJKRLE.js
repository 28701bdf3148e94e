import {
  problemSteps,
  readConfiguration,
  readingSteps
} from "./chunk-YLYUBZG2.js";
import "./chunk-FTDLCQXU.js";
import "./chunk-KPUJ7UZQ.js";
import "./chunk-QNSZFSTN.js";
import "./chunk-BLE2ZYMV.js";
import "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";
export {
  problemSteps,
  readConfiguration,
  readingSteps
};
//# sourceMappingURL=read-LGOJKRLE.js.map
