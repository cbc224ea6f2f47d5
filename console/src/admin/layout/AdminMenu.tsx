import ExpandMore from "@mui/icons-material/ExpandMore";
import LogoutOutlined from "@mui/icons-material/LogoutOutlined";
import Storefront from "@mui/icons-material/StorefrontOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Collapse from "@mui/material/Collapse";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Typography from "@mui/material/Typography";
import { type ReactNode, useEffect, useRef } from "react";
import { useStore } from "react-admin";
import { Link, useLocation } from "react-router-dom";
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
          <Group
            key={group.title}
            title={group.title}
            open={!folded.includes(group.title)}
            onFold={() => fold(group.title)}
          >
            {group.entries.map((entry) => (
              <Entry key={entry.path} entry={entry} active={entry.path === active} />
            ))}
          </Group>
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

interface GroupProps {
  title: string;
  open: boolean;
  onFold: () => void;
  children: ReactNode;
}

/** Its title folds it away, and it stays so. */
function Group({ title, open, onFold, children }: GroupProps) {
  return (
    <Box role="group" aria-label={title} sx={{ mt: 1 }}>
      <Typography component="h2">
        <ButtonBase
          aria-expanded={open}
          onClick={onFold}
          sx={{
            width: "100%",
            justifyContent: "space-between",
            px: 1.5,
            py: 0.5,
            borderRadius: 1,
            fontFamily: "inherit",
            fontSize: "0.75rem",
            fontWeight: 650,
            color: "text.secondary",
          }}
        >
          {title}
          <ExpandMore
            fontSize="small"
            sx={{ transform: open ? "none" : "rotate(-90deg)", transition: "transform 150ms" }}
          />
        </ButtonBase>
      </Typography>
      <Collapse in={open} unmountOnExit>
        <List disablePadding>{children}</List>
      </Collapse>
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
