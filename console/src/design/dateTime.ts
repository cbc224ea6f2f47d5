// Times as `YYYY-MM-DD HH:mm` in the zone of whoever looks: the account's, else Africa/Lagos.
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
      hourCycle: "h23",
    });
    formats.set(zone, format);
  }
  return format;
}

export function viewerZone(): string {
  return session.get()?.user.zone || DEFAULT_ZONE;
}

export function formatDateTime(value: string | number | Date, zone = viewerZone()): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return "-";
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(time)
      .map((it) => [it.type, it.value]),
  );
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
}

export function formatDate(value: string | number | Date, zone = viewerZone()): string {
  return formatDateTime(value, zone).slice(0, 10);
}
