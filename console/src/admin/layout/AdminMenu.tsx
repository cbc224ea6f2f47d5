import LogoutOutlined from "@mui/icons-material/LogoutOutlined";
import Storefront from "@mui/icons-material/StorefrontOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import ListItemText from "@mui/material/ListItemText";
import Typography from "@mui/material/Typography";
import { Link, useLocation } from "react-router-dom";
import { addressOf } from "../address";
import { activeEntry, MENU, type MenuEntry } from "./menu";

interface Props {
  onChoose: () => void;
  onLogOut: () => void;
}

export function AdminMenu({ onChoose, onLogOut }: Props) {
  const active = activeEntry(useLocation().pathname);
  return (
    <Box
      component="nav"
      aria-label="Administration"
      sx={{ display: "flex", flexDirection: "column", flex: 1 }}
    >
      <Box sx={{ flex: 1, px: 1.25, py: 1 }}>
        {MENU.map((group) => (
          <Box key={group.title} role="group" aria-label={group.title} sx={{ mt: 1.5 }}>
            <Typography
              component="h2"
              sx={{ px: 1.5, pb: 0.5, fontSize: "0.75rem", fontWeight: 650, color: "text.secondary" }}
            >
              {group.title}
            </Typography>
            <List disablePadding>
              {group.entries.map((entry) => (
                <Entry key={entry.path} entry={entry} active={entry.path === active} onChoose={onChoose} />
              ))}
            </List>
          </Box>
        ))}
      </Box>
      <Box
        sx={{
          p: 2,
          pb: 6,
          borderTop: 1,
          borderColor: "divider",
          display: "flex",
          flexDirection: "column",
          gap: 1,
        }}
      >
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

function Entry({ entry, active, onChoose }: { entry: MenuEntry; active: boolean; onChoose: () => void }) {
  const Icon = entry.icon;
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={Link}
        to={addressOf(entry.path)}
        selected={active}
        aria-current={active ? "page" : undefined}
        onClick={onChoose}
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
