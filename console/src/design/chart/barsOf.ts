// What a chart of bars is given.
import type { Theme } from "@mui/material/styles";

export interface Series {
  /** Of the rows. */
  key: string;
  label: string;
  colour: (theme: Theme) => string;
}

/** What one bar is made of. */
export type Row = { name: string } & Record<string, string | number>;

export interface BarsProps {
  /** What it shows in a sentence, for screen readers. */
  label: string;
  rows: readonly Row[];
  /** From the axis on. */
  series: readonly Series[];
  /** How a row's name is written at its tip. */
  title: (name: string) => string;
  /** How a figure is written there. */
  written?: (value: number, row: Row) => string;
}

export function figureOf(row: Row, { key }: Series): number {
  return Number(row[key] ?? 0);
}

export function sumOf(row: Row, series: readonly Series[]): number {
  return series.reduce((sum, it) => sum + figureOf(row, it), 0);
}
