// Times as Discord writes them, in the person's own language and time zone.
import { h } from "./dom.js";
import { store } from "./store.js";
import { t } from "./words.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const UNITS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function formatted(date, options) {
  return new Intl.DateTimeFormat(store.me?.locale, { timeZone: store.me?.zone, ...options }).format(date);
}

export function relative(date) {
  const seconds = (date - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(store.me?.locale, { numeric: "auto" }).format(
    Math.round(seconds / size),
    unit,
  );
}

export function full(date) {
  return formatted(date, STYLES.F);
}

export function clock(date) {
  return formatted(date, STYLES.t);
}

function day(date) {
  return formatted(date, { dateStyle: "short" });
}

export function stamp(date) {
  if (day(date) === day(new Date())) return clock(date);
  if (day(date) === day(new Date(Date.now() - 86400000)))
    return t("Yesterday at {time}", { time: clock(date) });
  return formatted(date, { dateStyle: "short", timeStyle: "short" });
}

export function dayLine(date) {
  return formatted(date, { dateStyle: "long" });
}

export const sameDay = (one, other) => day(one) === day(other);

export function timestamp(seconds, style = "f") {
  const date = new Date(seconds * 1000);
  const text = style === "R" ? relative(date) : formatted(date, STYLES[style] ?? STYLES.f);
  return h("time.timestamp", { datetime: date.toISOString(), title: full(date), dataset: { style } }, text);
}

setInterval(() => {
  for (const each of document.querySelectorAll("time[data-style=R]")) {
    each.textContent = relative(new Date(each.dateTime));
  }
}, 5000);
