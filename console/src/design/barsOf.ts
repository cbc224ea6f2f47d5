// What a chart of bars is given.
import type { Theme } from "@mui/material/styles";

export interface Series {
  /** Of the rows. */
  key: string;
  label: string;
  colour: (theme: Theme) => string;
}

export interface BarsProps {
  /** In order of time; `name` says when. */
  rows: readonly ({ name: string } & Record<string, string | number>)[];
  /** From the ground up. */
  series: readonly Series[];
  height: number;
  /** How a row's name is written at the axis and in the tooltip. */
  tick: (name: string) => string;
  title: (name: string) => string;
  /** How a figure is written in the tooltip. */
  written?: (value: number) => string;
  /** The room of the upright axis, in px. */
  axis?: number;
}
