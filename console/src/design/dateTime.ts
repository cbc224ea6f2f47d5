// Times as `YYYY-MM-DD HH:mm` in the zone of the viewer: the account's, else Africa/Lagos.
import { session } from "../api/session";

export const DEFAULT_ZONE = "Africa/Lagos";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    formats.set(zone, format);
  }
  return format;
}

export function viewerZone(): string {
  return session.get()?.user.zone || DEFAULT_ZONE;
}

/** `seconds` where steps follow each other within a minute. */
export function formatDateTime(
  value: string | number | Date,
  zone = viewerZone(),
  { seconds = false } = {},
): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return "-";
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(time)
      .map((it) => [it.type, it.value]),
  );
  const minute = `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
  return seconds ? `${minute}:${parts.second}` : minute;
}

export function formatDate(value: string | number | Date, zone = viewerZone()): string {
  return formatDateTime(value, zone).slice(0, 10);
}

/** Reads a day as a user writes it, `YYYY-MM-DD`; null where there is no such day. */
export function readDay(text: string): string | null {
  const found = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\s*$/.exec(text);
  if (!found) return null;
  const [year = "", month = "", day = ""] = found.slice(1);
  const whole = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const there = new Date(`${whole}T00:00:00Z`);
  // Browsers read 31 June as 1 July: refuse it.
  return Number.isNaN(there.getTime()) || there.toISOString().slice(0, 10) !== whole ? null : whole;
}

/** Reads a day and a time as a user writes them, `YYYY-MM-DD HH:mm`; null where there is no such time. */
export function readMinute(text: string): string | null {
  const found = /^\s*(\S+?)(?:\s+|T)(\d{1,2})[:.](\d{2})\s*$/.exec(text);
  if (!found) return null;
  const [date = "", hour = "", minute = ""] = found.slice(1);
  const day = readDay(date);
  if (!day || Number(hour) > 23 || Number(minute) > 59) return null;
  return `${day} ${hour.padStart(2, "0")}:${minute}`;
}

/** Seconds since 1970 of a `YYYY-MM-DD HH:mm` in a zone; null where its clocks leave that minute out. */
export function epochOf(minute: string, zone = viewerZone()): number | null {
  const asUtc = (text: string) => Date.parse(`${text.replace(" ", "T")}:00Z`);
  const wall = asUtc(minute);
  if (Number.isNaN(wall)) return null;
  let time = wall;
  // The second step sees to a change of the clocks between the guess and the time itself.
  for (let step = 0; step < 2; step += 1) time += wall - asUtc(formatDateTime(time, zone));
  return formatDateTime(time, zone) === minute ? time / 1_000 : null;
}
