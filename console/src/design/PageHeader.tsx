import ArrowBack from "@mui/icons-material/ArrowBack";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link as To } from "react-router-dom";
import { useTitle } from "./title";

export interface Crumb {
  to: string;
  label: string;
}

interface Props {
  /** The page's one h1, and the window's title. */
  title: string;
  /** What the page is for, where the title does not say it. */
  text?: ReactNode;
  actions?: ReactNode;
  /** The way back: the list that it is of, or what it is within, outermost first. */
  back?: Crumb | readonly Crumb[];
}

export function PageHeader({ title, text, actions, back }: Props) {
  useTitle(title);
  return (
    <Stack
      component="header"
      sx={{ flexDirection: "row", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 3 }}
    >
      <Box sx={{ flex: "1 1 280px", minWidth: 0 }}>
        {back && <Crumbs crumbs={"to" in back ? [back] : back} />}
        <Typography variant="h1">{title}</Typography>
        {text && (
          <Typography color="textSecondary" sx={{ mt: 0.75, maxWidth: 640 }}>
            {text}
          </Typography>
        )}
      </Box>
      {actions && <Stack sx={{ flexDirection: "row", gap: 1, flexWrap: "wrap" }}>{actions}</Stack>}
    </Stack>
  );
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <Box component="nav" aria-label="Breadcrumb" sx={{ mb: 0.75 }}>
      <Box
        component="ol"
        sx={{
          listStyle: "none",
          m: 0,
          p: 0,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          columnGap: 1,
        }}
      >
        {crumbs.map(({ to, label }, at) => (
          <Box
            component="li"
            key={to}
            sx={{
              display: "flex",
              alignItems: "center",
              "& + &::before": { content: '"/"', mr: 1, color: "text.secondary" },
            }}
          >
            <Link
              component={To}
              to={to}
              underline="hover"
              color="text.secondary"
              sx={{
                display: "inline-flex",
                alignItems: "center",
                gap: 0.75,
                py: 0.5,
                fontSize: "0.875rem",
                fontWeight: 600,
              }}
            >
              {at === 0 && <ArrowBack sx={{ fontSize: 18 }} />}
              {label}
            </Link>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
