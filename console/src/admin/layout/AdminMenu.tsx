import LogoutOutlined from "@mui/icons-material/LogoutOutlined";
import MenuBookOutlined from "@mui/icons-material/MenuBookOutlined";
import Storefront from "@mui/icons-material/StorefrontOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import { useEffect, useRef } from "react";
import { useStore } from "react-admin";
import { Link, useLocation } from "react-router-dom";
import { MenuGroup } from "../../design/MenuGroup";
import { SchemeSwitch } from "../../design/SchemeSwitch";
import { addressOf } from "../address";
import { activeEntry, MENU, type MenuEntry } from "./menu";

interface Props {
  onLogOut: () => void;
}

export function AdminMenu({ onLogOut }: Props) {
  const active = activeEntry(useLocation().pathname);
  const [folded, setFolded] = useStore<string[]>("menu.folded", []);
  const fold = (title: string) =>
    setFolded(folded.includes(title) ? folded.filter((it) => it !== title) : [...folded, title]);
  return (
    <Box
      component="nav"
      aria-label="Administration"
      sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}
    >
      {/* The entries scroll; the way out is always in sight. */}
      <Box sx={{ flex: 1, minHeight: 0, overflowY: "auto", px: 1.25, py: 1 }}>
        {MENU.map((group) => (
          <MenuGroup
            key={group.title}
            title={group.title}
            open={!folded.includes(group.title)}
            onFold={() => fold(group.title)}
          >
            {group.entries.map((entry) => (
              <Entry key={entry.path} entry={entry} active={entry.path === active} />
            ))}
          </MenuGroup>
        ))}
      </Box>
      <Box
        sx={{
          p: 1.5,
          borderTop: 1,
          borderColor: "divider",
          display: "flex",
          flexDirection: "column",
          gap: 1,
        }}
      >
        <SchemeSwitch />
        <Button href="/handbook/index.html" fullWidth color="inherit" startIcon={<MenuBookOutlined />}>
          Handbook
        </Button>
        <Button component={Link} to="/dashboard" fullWidth color="inherit" startIcon={<Storefront />}>
          Customer dashboard
        </Button>
        <Button fullWidth variant="contained" color="error" startIcon={<LogoutOutlined />} onClick={onLogOut}>
          Logout
        </Button>
      </Box>
    </Box>
  );
}

function Entry({ entry, active }: { entry: MenuEntry; active: boolean }) {
  const Icon = entry.icon;
  const place = useRef<HTMLLIElement>(null);
  // The menu is longer than the window.
  useEffect(() => {
    if (active) place.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <ListItem disablePadding ref={place}>
      <ListItemButton
        component={Link}
        to={addressOf(entry.path)}
        selected={active}
        aria-current={active ? "page" : undefined}
        sx={{
          borderRadius: 1,
          minHeight: 36,
          py: 0.25,
          px: 1.5,
          "&.Mui-selected": { backgroundColor: "primary.light", color: "primary.main" },
          "&.Mui-selected:hover": { backgroundColor: "primary.light" },
        }}
      >
        <ListItemIcon sx={{ minWidth: 34, color: active ? "primary.main" : "text.secondary" }}>
          <Icon fontSize="small" />
        </ListItemIcon>
        <ListItemText
          primary={entry.label}
          slotProps={{ primary: { sx: { fontSize: "0.9375rem", fontWeight: active ? 650 : 500 } } }}
        />
      </ListItemButton>
    </ListItem>
  );
}
