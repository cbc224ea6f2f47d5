// One lying bar a row, parted in shares of the row, over an axis of percents; with a tip by pointer and by keyboard.
import { useTheme } from "@mui/material/styles";
import { share } from "../share";
import { type BarsProps, figureOf, sumOf } from "./barsOf";
import { Frame, Highlight } from "./Frame";
import { widthOf } from "./scale";
import { Tip, tipText } from "./Tip";
import { useCursor } from "./useCursor";

const LINE = 30;
const BAR = 16;
const TOP = 6;
const BOTTOM = 26;
const TICK = 5;
const RIGHT = 16;
const MARKS = [0, 25, 50, 75, 100];

export function ShareBars({ label, rows, series, title, written }: BarsProps) {
  const theme = useTheme();
  const say =
    written ?? ((value, row) => `${value.toLocaleString("en")} (${share(value, sumOf(row, series))})`);
  const cursor = useCursor({
    many: rows.length,
    label,
    orientation: "vertical",
    said: (at) => (rows[at] ? tipText(rows[at], series, { title, written: say }) : ""),
    at: (_, y) => (y < TOP || y >= TOP + rows.length * LINE ? null : Math.floor((y - TOP) / LINE)),
  });
  const { width, here } = cursor;
  if (rows.length === 0) return null;
  const names = rows.map((it) => title(it.name));
  const axis = Math.min(width * 0.36, 14 + names.reduce((most, it) => Math.max(most, widthOf(it)), 0));
  const long = Math.max(1, width - axis - RIGHT);
  const place = (percent: number) => axis + (long * percent) / 100;
  const ground = TOP + rows.length * LINE;
  const row = here === null ? undefined : rows[here];
  return (
    <Frame
      cursor={cursor}
      height={ground + BOTTOM}
      tip={
        row &&
        here !== null && (
          <Tip
            row={row}
            series={series.filter((it) => figureOf(row, it) > 0)}
            title={title}
            written={say}
            x={axis}
            y={TOP + (here + 1) * LINE + 2}
            width={width}
          />
        )
      }
    >
      {MARKS.map((it) => (
        <g key={it}>
          <line x1={place(it)} x2={place(it)} y1={TOP} y2={ground + TICK} stroke={theme.palette.divider} />
          <text x={place(it)} y={ground + BOTTOM - 6} textAnchor="middle">
            {it}%
          </text>
        </g>
      ))}
      {here !== null && <Highlight x={0} y={TOP + here * LINE} width={width} height={LINE} />}
      {rows.map((it, at) => {
        const whole = sumOf(it, series);
        const y = TOP + at * LINE + (LINE - BAR) / 2;
        let sum = 0;
        return (
          <g key={it.name}>
            <text x={axis - 8} y={y + BAR / 2} dy="0.35em" textAnchor="end" fill={theme.palette.text.primary}>
              {fitting(names[at] ?? "", axis - 8)}
            </text>
            {whole === 0 && (
              <text x={axis + 8} y={y + BAR / 2} dy="0.35em">
                None
              </text>
            )}
            {series.map((one) => {
              const value = figureOf(it, one);
              const from = place(whole > 0 ? (sum * 100) / whole : 0);
              sum += value;
              // However few they are, failures are seen.
              const wide = value > 0 ? Math.max(2, place((sum * 100) / whole) - from) : 0;
              return (
                wide > 0 && (
                  <rect
                    key={one.key}
                    data-bar
                    x={Math.min(from, place(100) - wide)}
                    y={y}
                    width={wide}
                    height={BAR}
                    fill={one.colour(theme)}
                  />
                )
              );
            })}
          </g>
        );
      })}
      <line x1={place(0)} x2={place(100)} y1={ground} y2={ground} stroke={theme.palette.text.secondary} />
    </Frame>
  );
}

/** As much of a name as there is room for. */
function fitting(name: string, room: number): string {
  const most = Math.max(3, Math.floor(room / 6.3));
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
