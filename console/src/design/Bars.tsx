// The picture itself. recharts: kept up, accessible axes, and works without inline scripts. Loaded where it is drawn.
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { BarsProps } from "./barsOf";

const compactly = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export default function Bars({ rows, series, height, tick, title, written, axis }: Required<BarsProps>) {
  const theme = useTheme();
  const still = useMediaQuery("(prefers-reduced-motion: reduce)");
  const text = { fill: theme.palette.text.secondary, fontSize: 12 };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={[...rows]}
        // The topmost label is centred on its line, and a line high.
        margin={{ top: 12, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="18%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke={theme.palette.divider} />
        <XAxis
          dataKey="name"
          tick={text}
          tickLine={false}
          axisLine={{ stroke: theme.palette.divider }}
          minTickGap={20}
          tickFormatter={tick}
        />
        <YAxis
          tick={text}
          tickLine={false}
          axisLine={false}
          width={axis}
          allowDecimals={false}
          tickFormatter={(value: number) => compactly.format(value)}
        />
        <Tooltip
          cursor={{ fill: theme.palette.action.hover }}
          isAnimationActive={!still}
          labelFormatter={(name) => title(String(name))}
          formatter={(value) => written(Number(value))}
          contentStyle={{
            backgroundColor: theme.palette.background.paper,
            border: `1px solid ${theme.palette.divider}`,
            borderRadius: 8,
            fontSize: 13,
          }}
          labelStyle={{ color: theme.palette.text.primary, fontWeight: 600 }}
        />
        {series.map((it) => (
          <Bar
            key={it.key}
            dataKey={it.key}
            name={it.label}
            stackId="all"
            fill={it.colour(theme)}
            isAnimationActive={false}
            maxBarSize={40}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
