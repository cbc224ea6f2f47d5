// What a bar is of, beside it. Screen readers are told the same by the chart's own value.
import Box from "@mui/material/Box";
import { useTheme } from "@mui/material/styles";
import { type BarsProps, figureOf, type Row, type Series } from "./barsOf";

interface Props extends Required<Pick<BarsProps, "title" | "written">> {
  row: Row;
  series: readonly Series[];
  /** Where the bar is. */
  x: number;
  y: number;
  width: number;
}

const GAP = 12;

export function Tip({ row, series, title, written, x, y, width }: Props) {
  const theme = useTheme();
  const side = x > width / 2 ? { right: width - x + GAP } : { left: x + GAP };
  return (
    <Box
      aria-hidden
      data-tip
      sx={{
        position: "absolute",
        zIndex: 1,
        top: y,
        ...side,
        maxWidth: Math.max(120, (x > width / 2 ? x : width - x) - GAP),
        pointerEvents: "none",
        px: 1.25,
        py: 0.75,
        bgcolor: "background.paper",
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        boxShadow: 2,
        fontSize: "0.8125rem",
        lineHeight: 1.5,
      }}
    >
      <Box sx={{ fontWeight: 600 }}>{title(row.name)}</Box>
      {series.length === 0 && "None"}
      {series.map((it) => (
        <Box key={it.key} sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <Box sx={{ width: 10, height: 10, borderRadius: 0.5, flex: "none", bgcolor: it.colour(theme) }} />
          <span>{it.label}</span>
          <Box
            component="span"
            sx={{ ml: "auto", pl: 1, fontWeight: 600, fontVariantNumeric: "tabular-nums" }}
          >
            {written(figureOf(row, it), row)}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** The same in words. */
export function tipText(
  row: Row,
  series: readonly Series[],
  { title, written }: Required<Pick<BarsProps, "title" | "written">>,
): string {
  const figures = series.map((it) => `${it.label} ${written(figureOf(row, it), row)}`);
  return `${title(row.name)}: ${figures.join(", ")}`;
}
