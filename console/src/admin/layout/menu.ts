// The administrators' menu in the specification's groups. Voice Reports come with voice.
import type { SvgIconComponent } from "@mui/icons-material";
import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import CellTowerOutlined from "@mui/icons-material/CellTowerOutlined";
import DashboardOutlined from "@mui/icons-material/DashboardOutlined";
import DialpadOutlined from "@mui/icons-material/DialpadOutlined";
import HelpOutlineOutlined from "@mui/icons-material/HelpOutlineOutlined";
import HistoryOutlined from "@mui/icons-material/HistoryOutlined";
import HowToRegOutlined from "@mui/icons-material/HowToRegOutlined";
import PaymentsOutlined from "@mui/icons-material/PaymentsOutlined";
import PersonSearchOutlined from "@mui/icons-material/PersonSearchOutlined";
import ReceiptLongOutlined from "@mui/icons-material/ReceiptLongOutlined";
import SmartphoneOutlined from "@mui/icons-material/SmartphoneOutlined";
import TrendingUpOutlined from "@mui/icons-material/TrendingUpOutlined";
import WebhookOutlined from "@mui/icons-material/WebhookOutlined";

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
  {
    title: "SMS",
    entries: [
      { path: "approve-sender-id", label: "Approve Sender ID", icon: HowToRegOutlined },
      { path: "approve-virtualNumber", label: "Approve Virtual Number", icon: DialpadOutlined },
      { path: "own-numbers", label: "Own Numbers", icon: SmartphoneOutlined },
      { path: "campaign-history", label: "Campaign History", icon: HistoryOutlined },
    ],
  },
  // Beyond the specification: what an operator needs.
  {
    title: "Operations",
    entries: [
      { path: "messages", label: "Search a Number", icon: PersonSearchOutlined },
      { path: "unknown-messages", label: "Unknown Messages", icon: HelpOutlineOutlined },
      { path: "carriers", label: "Carriers", icon: CellTowerOutlined },
      { path: "webhooks", label: "Webhooks", icon: WebhookOutlined },
      { path: "transactions", label: "All Transactions", icon: ReceiptLongOutlined },
      { path: "payments", label: "Payments", icon: PaymentsOutlined },
      { path: "margins", label: "Margins", icon: TrendingUpOutlined },
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
