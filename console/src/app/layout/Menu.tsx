import AdminPanelSettingsOutlined from "@mui/icons-material/AdminPanelSettingsOutlined";
import LogoutOutlined from "@mui/icons-material/LogoutOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { MenuGroup } from "../../design/MenuGroup";
import { useShownPlace } from "../../design/place";
import { SchemeSwitch } from "../../design/SchemeSwitch";
import { activeEntry, MENU, type MenuEntry } from "./menu";

interface Props {
  admin: boolean;
  onChoose: () => void;
  onLogOut: () => void;
}

const ADMINISTRATION: MenuEntry = {
  to: "/dashboard/admin",
  label: "Administration",
  icon: AdminPanelSettingsOutlined,
};

const FOLDED = "menu.folded";

/** Which groups this browser's user folded away. That of the page is always open. */
function readFolded(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(FOLDED) ?? "[]");
    return Array.isArray(kept) ? kept.filter((it) => typeof it === "string") : [];
  } catch {
    return [];
  }
}

export function Menu({ admin, onChoose, onLogOut }: Props) {
  const address = useLocation().pathname;
  const active = activeEntry(useShownPlace() ?? address);
  const [folded, setFolded] = useState(readFolded);
  const fold = (title: string) => {
    const next = folded.includes(title) ? folded.filter((it) => it !== title) : [...folded, title];
    setFolded(next);
    localStorage.setItem(FOLDED, JSON.stringify(next));
  };
  return (
    <Box
      component="nav"
      aria-label="Dashboard"
      sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}
    >
      {/* The entries scroll; the way out is always in sight. */}
      <Box sx={{ flex: 1, minHeight: 0, overflowY: "auto", px: 1.25, py: 1 }}>
        {admin && (
          <List disablePadding sx={{ pt: 1 }}>
            <Entry entry={ADMINISTRATION} active={false} onChoose={onChoose} />
          </List>
        )}
        {MENU.map((group) => (
          <MenuGroup
            key={group.title}
            title={group.title}
            open={!folded.includes(group.title) || group.entries.some((entry) => entry.to === active)}
            onFold={() => fold(group.title)}
          >
            {group.entries.map((entry) => (
              <Entry key={entry.to} entry={entry} active={entry.to === active} onChoose={onChoose} />
            ))}
          </MenuGroup>
        ))}
      </Box>
      <Box sx={{ p: 2, borderTop: 1, borderColor: "divider", display: "grid", gap: 1.5 }}>
        <SchemeSwitch />
        <Button fullWidth variant="contained" color="error" startIcon={<LogoutOutlined />} onClick={onLogOut}>
          Logout
        </Button>
      </Box>
    </Box>
  );
}

interface EntryProps {
  entry: MenuEntry;
  active: boolean;
  onChoose: () => void;
}

function Entry({ entry, active, onChoose }: EntryProps) {
  const Icon = entry.icon;
  const place = useRef<HTMLLIElement>(null);
  // The menu may be longer than the window.
  useEffect(() => {
    if (active) place.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <ListItem disablePadding ref={place}>
      <ListItemButton
        component={Link}
        to={entry.to}
        selected={active}
        aria-current={active ? "page" : undefined}
        onClick={onChoose}
        sx={{
          borderRadius: 1,
          minHeight: 40,
          py: 0.5,
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
