import {
  largestOf
} from "./chunk-BLE2ZYMV.js";

// src/command/table-text.ts
function tableText(header, rows) {
  const all = [header, ...rows];
  const widths = header.map((_, column) => largestOf(all.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])).join("  ").trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [line(header), rule, ...rows.map(line)].join("\n");
}
function wholeText(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}
function valueText(value) {
  if (Math.abs(value) < 1e4) return String(Math.round(value * 100) / 100);
  return value < 0 ? `-${wholeText(-value)}` : wholeText(value);
}

export {
  tableText,
  wholeText,
  valueText
};
//# sourceMappingURL=chunk-ELSLXJNS.js.map
