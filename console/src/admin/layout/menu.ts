// The administrators' menu in the specification's groups.

import type { SvgIconComponent } from "@mui/icons-material";
import AccountBalanceWalletOutlined from "@mui/icons-material/AccountBalanceWalletOutlined";
import AddCardOutlined from "@mui/icons-material/AddCardOutlined";
import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import CellTowerOutlined from "@mui/icons-material/CellTowerOutlined";
import ConstructionOutlined from "@mui/icons-material/ConstructionOutlined";
import CreditCardOutlined from "@mui/icons-material/CreditCardOutlined";
import DashboardOutlined from "@mui/icons-material/DashboardOutlined";
import DialpadOutlined from "@mui/icons-material/DialpadOutlined";
import EditNoteOutlined from "@mui/icons-material/EditNoteOutlined";
import ForumOutlined from "@mui/icons-material/ForumOutlined";
import GroupOutlined from "@mui/icons-material/GroupOutlined";
import HelpOutlineOutlined from "@mui/icons-material/HelpOutlineOutlined";
import HistoryOutlined from "@mui/icons-material/HistoryOutlined";
import HowToRegOutlined from "@mui/icons-material/HowToRegOutlined";
import InboxOutlined from "@mui/icons-material/InboxOutlined";
import KeyOutlined from "@mui/icons-material/KeyOutlined";
import MailOutlined from "@mui/icons-material/MailOutlined";
import PaymentsOutlined from "@mui/icons-material/PaymentsOutlined";
import PersonSearchOutlined from "@mui/icons-material/PersonSearchOutlined";
import PhoneCallbackOutlined from "@mui/icons-material/PhoneCallbackOutlined";
import PhoneOutlined from "@mui/icons-material/PhoneOutlined";
import PlaceOutlined from "@mui/icons-material/PlaceOutlined";
import PriceChangeOutlined from "@mui/icons-material/PriceChangeOutlined";
import PrivacyTipOutlined from "@mui/icons-material/PrivacyTipOutlined";
import PublicOutlined from "@mui/icons-material/PublicOutlined";
import ReceiptLongOutlined from "@mui/icons-material/ReceiptLongOutlined";
import RecordVoiceOverOutlined from "@mui/icons-material/RecordVoiceOverOutlined";
import SellOutlined from "@mui/icons-material/SellOutlined";
import SmartphoneOutlined from "@mui/icons-material/SmartphoneOutlined";
import TrendingUpOutlined from "@mui/icons-material/TrendingUpOutlined";
import VpnKeyOutlined from "@mui/icons-material/VpnKeyOutlined";
import WebhookOutlined from "@mui/icons-material/WebhookOutlined";
import { ADMIN } from "../address";

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
      { path: "set-wallet-address", label: "Wallet Address", icon: AccountBalanceWalletOutlined },
      { path: "announcement", label: "Announcement", icon: CampaignOutlined },
      { path: "set-contact-address", label: "Contact Address", icon: PlaceOutlined },
      { path: "set-contact-phone", label: "Contact Phone", icon: PhoneOutlined },
      { path: "set-contact-email", label: "Contact Email", icon: MailOutlined },
      { path: "maintainance", label: "Maintenance", icon: ConstructionOutlined },
      { path: "audit-trail", label: "Audit Trail", icon: HistoryOutlined },
      { path: "data-requests", label: "Data Requests", icon: PrivacyTipOutlined },
    ],
  },
  {
    title: "Users",
    entries: [
      { path: "manage-users", label: "Manage Users", icon: GroupOutlined },
      { path: "message-users", label: "Message Users", icon: ForumOutlined },
      { path: "assign-espees", label: "Assign ESPEES", icon: AddCardOutlined },
      { path: "assign-naira", label: "Assign Naira", icon: PaymentsOutlined },
    ],
  },
  {
    title: "SMS",
    entries: [
      { path: "set-sms-unit-price", label: "SMS Unit Price", icon: SellOutlined },
      { path: "rates", label: "Rates", icon: PublicOutlined },
      { path: "set-voice-unit-price", label: "Voice Unit Price", icon: RecordVoiceOverOutlined },
      { path: "set-sms-api-key", label: "SMS API Key", icon: KeyOutlined },
      { path: "set-espee-api-key", label: "ESPEES API Key", icon: VpnKeyOutlined },
      { path: "approve-sender-id", label: "Approve Sender ID", icon: HowToRegOutlined },
      { path: "approve-virtualNumber", label: "Approve Virtual Number", icon: DialpadOutlined },
      { path: "own-numbers", label: "Own Numbers", icon: SmartphoneOutlined },
      { path: "voice-reports", label: "Voice Reports", icon: PhoneCallbackOutlined },
      { path: "campaign-history", label: "Campaign History", icon: HistoryOutlined },
    ],
  },
  {
    title: "Paystack",
    entries: [
      { path: "set-paystack-unit-price", label: "Naira Unit Prices", icon: PriceChangeOutlined },
      { path: "set-paystack-keys", label: "Paystack Keys", icon: CreditCardOutlined },
    ],
  },
  {
    title: "Pricing write up",
    entries: [{ path: "set-pricing", label: "Set Pricing", icon: EditNoteOutlined }],
  },
  // Beyond the specification: what an operator needs.
  {
    title: "Operations",
    entries: [
      { path: "messages", label: "Search a Number", icon: PersonSearchOutlined },
      { path: "unknown-messages", label: "Unknown Messages", icon: HelpOutlineOutlined },
      { path: "inbound-messages", label: "Inbound Messages", icon: InboxOutlined },
      { path: "carriers", label: "Carriers", icon: CellTowerOutlined },
      { path: "webhooks", label: "Webhooks", icon: WebhookOutlined },
      { path: "transactions", label: "All Transactions", icon: ReceiptLongOutlined },
      { path: "payments", label: "Payments", icon: PaymentsOutlined },
      { path: "margins", label: "Margins", icon: TrendingUpOutlined },
    ],
  },
];

/** The entry to highlight: the longest that the address opens with. */
export function activeEntry(pathname: string): string | null {
  const rest = pathname.slice(ADMIN.length + 1).replace(/\/$/, "");
  const all = MENU.flatMap((group) => group.entries.map((entry) => entry.path));
  const fits = all.filter((path) => rest === path || (path !== "" && rest.startsWith(`${path}/`)));
  return fits.sort((a, b) => b.length - a.length)[0] ?? null;
}
