// The bar above every page of a room for people who are signed in: the menu's button, the title, and what the room adds.
import MenuIcon from "@mui/icons-material/Menu";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Mark } from "./Logo";
import { SandboxBadge } from "./Sandbox";

/** Its height, in px, where it is one line. */
export const BAR = 64;

/** On a phone the mark says it to the eye. */
const WIDE_ONLY = {
  "@media (max-width: 599.95px)": {
    position: "absolute",
    width: "1px",
    height: "1px",
    overflow: "hidden",
    clipPath: "inset(50%)",
  },
} as const;

interface Props {
  /** Where the title leads. */
  home: string;
  /** Whether the menu is open. */
  open: boolean;
  onMenu: () => void;
  /** Above the menu; else below it where it lies over the page. */
  above: boolean;
  /** At its end. What has no room on a line goes to a second one where it wraps. */
  children: ReactNode;
  wraps?: boolean;
}

export function TopBar({ home, open, onMenu, above, wraps, children }: Props) {
  return (
    <Box
      component="header"
      sx={{
        position: "sticky",
        top: 0,
        zIndex: above ? 1201 : 1100,
        display: "flex",
        alignItems: "center",
        columnGap: 1.5,
        minHeight: BAR,
        px: { xs: 1, sm: 2 },
        ...(wraps && { flexWrap: "wrap", py: { xs: 0.5, sm: 0 } }),
        bgcolor: "background.paper",
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <IconButton
        aria-label={open ? "Close the menu" : "Open the menu"}
        aria-expanded={open}
        onClick={onMenu}
      >
        <MenuIcon />
      </IconButton>
      <Box
        component={Link}
        to={home}
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1,
          color: "primary.main",
          textDecoration: "none",
        }}
      >
        <Mark size={26} />
        <Typography
          component="span"
          noWrap
          sx={{
            fontWeight: 700,
            color: "text.primary",
            letterSpacing: "-0.01em",
            lineHeight: 1.2,
            ...WIDE_ONLY,
          }}
        >
          Text &amp; Voice Dashboard
        </Typography>
      </Box>
      <SandboxBadge />
      {children}
    </Box>
  );
}
