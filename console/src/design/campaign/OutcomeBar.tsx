// Outcomes as one bar, and the swatches that name its colours. The figures stand beside it in every place it is used.
import Box from "@mui/material/Box";
import { type Theme, useTheme } from "@mui/material/styles";
import { share } from "../share";
import { GROUPS, type Group, type Groups, sumOf } from "./outcomes";

export function colourOf(theme: Theme, group: Group): string {
  const { palette } = theme;
  return {
    delivered: palette.success.main,
    awaited: palette.info.main,
    failed: palette.error.main,
    unknown: palette.warning.main,
    unsent: palette.text.secondary,
    // What waits is the bar's empty part.
    waiting: palette.divider,
  }[group];
}

export function useOutcomeColour(): (group: Group) => string {
  const theme = useTheme();
  return (group) => colourOf(theme, group);
}

interface Props {
  /** Whose outcomes: the bar's name for screen readers opens with it. */
  label: string;
  groups: Groups;
  height?: number;
}

export function OutcomeBar({ label, groups, height = 12 }: Props) {
  const colour = useOutcomeColour();
  const whole = sumOf(groups);
  const shown = GROUPS.filter(({ group }) => groups[group] > 0);
  const said = shown.map((it) => `${it.label.toLowerCase()} ${share(groups[it.group], whole)}`).join(", ");
  return (
    <Box
      role="img"
      aria-label={`${label}: ${said || "nothing yet"}`}
      sx={{
        display: "flex",
        gap: "2px",
        height,
        width: "100%",
        minWidth: 60,
        borderRadius: height / 2,
        overflow: "hidden",
        backgroundColor: "divider",
      }}
    >
      {shown.map(({ group }) => (
        <Box
          key={group}
          sx={{
            flexGrow: groups[group],
            flexBasis: 0,
            // However few they are, failures are seen.
            minWidth: group === "waiting" ? 0 : 3,
            backgroundColor: colour(group),
            transition: "flex-grow 400ms",
            "@media (prefers-reduced-motion: reduce)": { transition: "none" },
          }}
        />
      ))}
    </Box>
  );
}

export function Swatch({ group }: { group: Group }) {
  const colour = useOutcomeColour();
  return (
    <Box
      component="span"
      aria-hidden
      sx={{
        display: "inline-block",
        width: 10,
        height: 10,
        borderRadius: "3px",
        mr: 1,
        flex: "0 0 auto",
        border: 1,
        borderColor: group === "waiting" ? "text.secondary" : colour(group),
        backgroundColor: colour(group),
      }}
    />
  );
}
