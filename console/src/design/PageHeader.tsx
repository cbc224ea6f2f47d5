import ArrowBack from "@mui/icons-material/ArrowBack";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useTitle } from "./title";

interface Props {
  /** The page's one h1, and the window's title. */
  title: string;
  /** What the page is for, where the title does not say it. */
  text?: ReactNode;
  actions?: ReactNode;
  /** The way to the list that it is of. */
  back?: { to: string; label: string };
}

export function PageHeader({ title, text, actions, back }: Props) {
  useTitle(title);
  return (
    <Stack
      component="header"
      sx={{ flexDirection: "row", flexWrap: "wrap", alignItems: "flex-end", gap: 2, mb: 3 }}
    >
      <Box sx={{ flex: "1 1 280px", minWidth: 0 }}>
        {back && (
          <Button
            component={Link}
            to={back.to}
            startIcon={<ArrowBack />}
            color="inherit"
            size="small"
            sx={{ mb: 0.5, ml: -1 }}
          >
            {back.label}
          </Button>
        )}
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
