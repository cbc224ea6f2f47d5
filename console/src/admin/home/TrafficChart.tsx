// The picture itself. recharts: kept up, accessible axes, and works without inline scripts.
import { useTheme } from "@mui/material/styles";
import useMediaQuery from "@mui/material/useMediaQuery";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { count } from "../../design/count";
import { formatDateTime } from "../../design/dateTime";
import type { Hour } from "./figures";
import { SERIES } from "./series";

interface Props {
  hours: Hour[];
  height: number;
}

export default function TrafficChart({ hours, height }: Props) {
  const theme = useTheme();
  const still = useMediaQuery("(prefers-reduced-motion: reduce)");
  const days = hours.length > 48;
  const tick = { fill: theme.palette.text.secondary, fontSize: 12 };
  return (
    <ResponsiveContainer width="100%" height={height}>
      <BarChart
        data={hours}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="18%"
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke={theme.palette.divider} />
        <XAxis
          dataKey="hour"
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: theme.palette.divider }}
          minTickGap={24}
          tickFormatter={(hour: string) => {
            const text = formatDateTime(hour);
            return days ? text.slice(5) : text.slice(11);
          }}
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width={48}
          allowDecimals={false}
          tickFormatter={compact}
        />
        <Tooltip
          cursor={{ fill: theme.palette.action.hover }}
          isAnimationActive={!still}
          labelFormatter={(hour) => formatDateTime(String(hour))}
          formatter={(value) => count(Number(value))}
          contentStyle={{
            backgroundColor: theme.palette.background.paper,
            border: `1px solid ${theme.palette.divider}`,
            borderRadius: 8,
            fontSize: 13,
          }}
          labelStyle={{ color: theme.palette.text.primary, fontWeight: 600 }}
        />
        {SERIES.map((it) => (
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

const compactly = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function compact(value: number): string {
  return compactly.format(value);
}
