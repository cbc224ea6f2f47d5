// The administrators' menu in the specification's groups. Voice Reports come with voice.
import type { SvgIconComponent } from "@mui/icons-material";
import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import DashboardOutlined from "@mui/icons-material/DashboardOutlined";

export const ADMIN = "/dashboard/admin";

export interface MenuEntry {
  /** Below /dashboard/admin; empty for the index. */
  path: string;
  label: string;
  icon: SvgIconComponent;
}

export interface MenuGroup {
  title: string;
  entries: MenuEntry[];
}

export const MENU: MenuGroup[] = [
  {
    title: "Admin",
    entries: [
      { path: "", label: "Profile Summary", icon: DashboardOutlined },
      { path: "announcement", label: "Announcement", icon: CampaignOutlined },
    ],
  },
];

export const addressOf = (path: string) => (path ? `${ADMIN}/${path}` : ADMIN);

/** The entry to highlight: the longest that the address opens with. */
export function activeEntry(pathname: string): string | null {
  const rest = pathname.slice(ADMIN.length + 1).replace(/\/$/, "");
  const all = MENU.flatMap((group) => group.entries.map((entry) => entry.path));
  const fits = all.filter((path) => rest === path || (path !== "" && rest.startsWith(`${path}/`)));
  return fits.sort((a, b) => b.length - a.length)[0] ?? null;
}
