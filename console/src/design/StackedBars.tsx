// Bars over time, of what adds up: with axes, a tooltip and a sentence for screen readers. The figures themselves stand in a
// table wherever a chart is.
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { lazy, Suspense } from "react";
import type { BarsProps, Series } from "./barsOf";
import { count } from "./count";

const Bars = lazy(() => import("./Bars"));

export function StackedBars({ label, ...props }: BarsProps & { label: string }) {
  const { height, written = count, axis = 40 } = props;
  return (
    <Box role="img" aria-label={label} sx={{ height, minWidth: 0 }}>
      <Suspense fallback={<Skeleton variant="rounded" height={height} />}>
        <Bars {...props} written={written} axis={axis} />
      </Suspense>
    </Box>
  );
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, rowGap: 0.5 }}>
      {series.map((it) => (
        <Box key={it.key} sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
          <Box
            aria-hidden
            sx={(theme) => ({ width: 10, height: 10, borderRadius: 0.5, bgcolor: it.colour(theme) })}
          />
          <Typography variant="body2" color="textSecondary">
            {it.label}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
