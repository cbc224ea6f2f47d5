// Columns over time, of what adds up: with axes, a tip by pointer and by keyboard, and a sentence for screen readers. The
// figures themselves stand in a table wherever a chart is. Drawn by ourselves: a library of charts weighs as much as MUI.
import { type Theme, useTheme } from "@mui/material/styles";
import { count } from "../count";
import { type BarsProps, figureOf, type Row, type Series, sumOf } from "./barsOf";
import { Frame, Highlight } from "./Frame";
import { labels, ticks } from "./scale";
import { Tip, tipText } from "./Tip";
import { useCursor } from "./useCursor";

interface Props extends BarsProps {
  /** In order of time. */
  rows: readonly Row[];
  height: number;
  /** How a row's name is written at the axis. */
  tick: (name: string) => string;
  /** The room of the upright axis, in px. */
  axis?: number;
}

const compactly = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Room for half a label above the topmost line, and for the names below the columns. */
const TOP = 12;
const BOTTOM = 26;
const TICK = 5;
const WIDEST = 40;

export function StackedBars({ label, rows, series, height, tick, title, written = count, axis = 40 }: Props) {
  const theme = useTheme();
  const band = (width: number) => Math.max(1, width - axis) / Math.max(1, rows.length);
  const cursor = useCursor({
    many: rows.length,
    label,
    orientation: "horizontal",
    said: (at) => (rows[at] ? tipText(rows[at], series, { title, written }) : ""),
    at: (x, _, width) => (x < axis ? null : Math.floor((x - axis) / band(width))),
  });
  const { width, here } = cursor;
  const marks = ticks(rows.reduce((top, row) => Math.max(top, sumOf(row, series)), 0));
  const top = marks.at(-1) ?? 1;
  const ground = height - BOTTOM;
  const level = (value: number) => ground - ((ground - TOP) * value) / top;
  const wide = band(width);
  const bar = Math.min(WIDEST, Math.max(1, wide * 0.82));
  const middle = (at: number) => axis + wide * (at + 0.5);
  const line = theme.palette.divider;
  const row = here === null ? undefined : rows[here];
  return (
    <Frame
      cursor={cursor}
      height={height}
      tip={
        row &&
        here !== null && (
          <Tip
            row={row}
            series={series}
            title={title}
            written={written}
            x={middle(here)}
            y={TOP}
            width={width}
          />
        )
      }
    >
      {marks.map((value) => (
        <g key={value}>
          <line x1={axis - TICK} x2={width} y1={level(value)} y2={level(value)} stroke={line} />
          <text x={axis - TICK - 3} y={level(value)} dy="0.35em" textAnchor="end">
            {compactly.format(value)}
          </text>
        </g>
      ))}
      {here !== null && <Highlight x={axis + wide * here} y={TOP} width={wide} height={ground - TOP} />}
      {rows.map((it, at) =>
        partsOf(it, series, theme, level).map(({ key, colour, y, height }) => (
          <rect
            key={`${it.name} ${key}`}
            data-bar
            x={middle(at) - bar / 2}
            y={y}
            width={bar}
            height={height}
            fill={colour}
          />
        )),
      )}
      <line x1={axis} x2={width} y1={ground} y2={ground} stroke={theme.palette.text.secondary} />
      {labels(
        rows.map((it) => tick(it.name)),
        axis,
        width - axis,
      ).map(({ at, text, x }) => (
        <g key={at}>
          <line
            x1={middle(at)}
            x2={middle(at)}
            y1={ground}
            y2={ground + TICK}
            stroke={theme.palette.text.secondary}
          />
          <text x={x} y={height - 6} textAnchor="middle">
            {text}
          </text>
        </g>
      ))}
    </Frame>
  );
}

interface Part {
  key: string;
  colour: string;
  y: number;
  height: number;
}

/** Each of a column's parts on the one before; what there is of is seen, however little. */
function partsOf(
  row: Row,
  series: readonly Series[],
  theme: Theme,
  level: (value: number) => number,
): Part[] {
  let sum = 0;
  return series.flatMap((it) => {
    const value = figureOf(row, it);
    if (value <= 0) return [];
    const from = level(sum);
    sum += value;
    const height = Math.max(1, from - level(sum));
    return [{ key: it.key, colour: it.colour(theme), y: from - height, height }];
  });
}
