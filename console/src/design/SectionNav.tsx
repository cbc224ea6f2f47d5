// The pages of one section, as links side by side.
import Box from "@mui/material/Box";
import { NavLink } from "react-router-dom";

interface Props {
  label: string;
  links: readonly { to: string; label: string }[];
}

export function SectionNav({ label, links }: Props) {
  return (
    <Box
      component="nav"
      aria-label={label}
      sx={{
        display: "flex",
        gap: 0.5,
        mb: 2.5,
        overflowX: "auto",
        borderBottom: 1,
        borderColor: "divider",
        "& a": {
          flex: "0 0 auto",
          px: { xs: 1, sm: 1.5 },
          py: 1.25,
          mb: "-1px",
          color: "text.secondary",
          fontWeight: 600,
          fontSize: "0.9375rem",
          textDecoration: "none",
          borderBottom: "2px solid transparent",
        },
        "& a:hover": { color: "text.primary" },
        "& a:focus-visible": { outlineOffset: -2 },
        "& a[aria-current=page]": { color: "primary.main", borderColor: "primary.main" },
      }}
    >
      {links.map((link) => (
        <NavLink key={link.to} to={link.to} end>
          {link.label}
        </NavLink>
      ))}
    </Box>
  );
}
