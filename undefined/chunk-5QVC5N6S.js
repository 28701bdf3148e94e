import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/base/iso8601.ts
var minuteMs = 6e4;
var dayMs = 864e5;
var instantMsMax = 864e13;
var isoBytesMin = 17;
var isoBytesMax = 35;
var numeric = /^[+-]?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;
function parseInstant(text) {
  if (numeric.test(text)) return wholeMs(Number(text));
  return parseIso(text);
}
function parseQueryInstant(text) {
  const compact = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (compact !== null) return parseIso(`${compact[1]}-${compact[2]}-${compact[3]}T00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return parseIso(`${text}T00:00Z`);
  return parseInstant(text.replace(lostPlus, "$1+$2"));
}
var lostPlus = /^(\d{4}-\d\d-\d\d[Tt ][\d:.,]+) (\d\d(?::?\d\d)?)$/;
var scratch = new Uint8Array(isoBytesMax);
function parseIso(text) {
  if (text.length < isoBytesMin || text.length > isoBytesMax) return void 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return void 0;
    scratch[i] = code;
  }
  const ms = parseInstantBytes(scratch, 0, text.length);
  return Number.isNaN(ms) ? void 0 : ms;
}
function wholeMs(value) {
  if (!Number.isInteger(value) || Math.abs(value) > instantMsMax) return void 0;
  return value + 0;
}
function parseInstantBytes(bytes, start, end) {
  const length = end - start;
  if (length < isoBytesMin || length > isoBytesMax) return NaN;
  if (!isSeparator(bytes[start + 10])) return NaN;
  if (bytes[start + 13] !== 58) return NaN;
  const hour = twoDigits(bytes, start + 11);
  const minute = twoDigits(bytes, start + 14);
  if (!(hour < 24 && minute < 60)) return NaN;
  const minuteEnd = start + 16;
  if (bytes[minuteEnd] !== 58) {
    return readDays(bytes, start) * dayMs + (hour * 60 + minute - readZone(bytes, minuteEnd, end)) * minuteMs;
  }
  if (minuteEnd + 3 >= end) return NaN;
  const second = twoDigits(bytes, minuteEnd + 1);
  if (!(second < 60)) return NaN;
  const fractionStart = minuteEnd + 3;
  const fractionEnd = skipFraction(bytes, fractionStart, end);
  const minutes = hour * 60 + minute - readZone(bytes, fractionEnd, end);
  const ms = second * 1e3 + readFractionMs(bytes, fractionStart, fractionEnd);
  return readDays(bytes, start) * dayMs + minutes * minuteMs + ms;
}
function readDays(bytes, at) {
  if (bytes[at + 4] !== 45 || bytes[at + 7] !== 45) return NaN;
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return NaN;
  return daysFromCivil(year, month, day);
}
function daysOfMonth(year, month) {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
function daysFromCivil(year, month, day) {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 | 0) + day - 1;
  const dayOfEra = yearOfEra * 365 + (yearOfEra >> 2) - (yearOfEra / 100 | 0) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}
function skipFraction(bytes, at, end) {
  if (bytes[at] !== 46 && bytes[at] !== 44) return at;
  let digit = at + 1;
  while (digit < end && isDigit(bytes[digit])) digit++;
  return digit;
}
function readFractionMs(bytes, start, end) {
  const digits = end - start - 1;
  if (digits < 0) return 0;
  if (digits === 0 || digits > 9) return NaN;
  const tenths = bytes[start + 1] - 48;
  const hundredths = digits > 1 ? bytes[start + 2] - 48 : 0;
  const thousandths = digits > 2 ? bytes[start + 3] - 48 : 0;
  return tenths * 100 + hundredths * 10 + thousandths;
}
function readZone(bytes, at, end) {
  const length = end - at;
  if (length === 1) return (bytes[at] | 32) === 122 ? 0 : NaN;
  if (length !== 3 && length !== 5 && length !== 6) return NaN;
  const sign = bytes[at] === 43 ? 1 : bytes[at] === 45 ? -1 : NaN;
  const hours = twoDigits(bytes, at + 1);
  if (length === 6 && bytes[at + 3] !== 58) return NaN;
  const minutes = length === 3 ? 0 : twoDigits(bytes, end - 2);
  return hours < 24 && minutes < 60 ? sign * (hours * 60 + minutes) : NaN;
}
function twoDigits(bytes, at) {
  const tens = bytes[at];
  const ones = bytes[at + 1];
  return isDigit(tens) && isDigit(ones) ? tens * 10 + ones - 528 : NaN;
}
function isSeparator(byte) {
  return byte === 84 || byte === 116 || byte === 32;
}
function isDigit(byte) {
  return byte >= 48 && byte <= 57;
}
function isoProblem(text) {
  const accepted = "expected epoch milliseconds or ISO 8601 with Z or \xB1hh:mm";
  if (numeric.test(text)) return "epoch milliseconds must be whole and at most 8640000000000000";
  const iso = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(.*)$/s.exec(text);
  if (iso === null) return accepted;
  const zone = iso[1].trim();
  if (zone === "") return "no zone is given: write Z or \xB1hh:mm";
  if (/^[A-Za-z][A-Za-z_/]*$/.test(zone) && zone.toUpperCase() !== "Z") {
    return `zone name ${zone.slice(0, 40)} is not accepted: write Z or \xB1hh:mm`;
  }
  if (/^(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(iso[1])) return "there is no such date or time of day";
  return accepted;
}
var amount = String.raw`(\d{1,9}(?:[.,]\d{1,9})?)`;
var durationPattern = new RegExp(
  `^P(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?` + String.raw`(?:T(?=\d)(?:${amount}H)?(?:${amount}M)?(?:${amount}S)?)?$`,
  "i"
);
var durationUnitsMs = [365 * dayMs, 30 * dayMs, 7 * dayMs, dayMs, 36e5, minuteMs, 1e3];
function parseDuration(text) {
  if (text.length > 100) return void 0;
  const parts = durationPattern.exec(text)?.slice(1);
  if (parts === void 0) return void 0;
  const last = parts.findLastIndex((part) => part !== void 0);
  if (last < 0) return void 0;
  let ms = 0;
  for (const [i, part] of parts.entries()) {
    if (part === void 0) continue;
    if (i < last && /[.,]/.test(part)) return void 0;
    ms += Number(part.replace(",", ".")) * durationUnitsMs[i];
  }
  return ms <= instantMsMax ? Math.round(ms) : void 0;
}
function formatInstant(ms) {
  assert(Number.isInteger(ms), `Expected whole milliseconds, got ${ms}`);
  return new Date(ms).toISOString();
}
function formatInstantSeconds(ms) {
  return formatInstant(Math.floor(ms / 1e3) * 1e3).replace(".000Z", "Z");
}

export {
  parseInstant,
  parseQueryInstant,
  parseInstantBytes,
  isoProblem,
  parseDuration,
  formatInstant,
  formatInstantSeconds
};
//# sourceMappingURL=chunk-5QVC5N6S.js.map
