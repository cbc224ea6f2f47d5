// The customer's menu, as the specification lists it.
import type { SvgIconComponent } from "@mui/icons-material";
import AccountBalanceWalletOutlined from "@mui/icons-material/AccountBalanceWalletOutlined";
import AssessmentOutlined from "@mui/icons-material/AssessmentOutlined";
import BadgeOutlined from "@mui/icons-material/BadgeOutlined";
import ContactsOutlined from "@mui/icons-material/ContactsOutlined";
import CreditCardOutlined from "@mui/icons-material/CreditCardOutlined";
import DashboardOutlined from "@mui/icons-material/DashboardOutlined";
import DialpadOutlined from "@mui/icons-material/DialpadOutlined";
import EditNoteOutlined from "@mui/icons-material/EditNoteOutlined";
import HubOutlined from "@mui/icons-material/HubOutlined";
import KeyOutlined from "@mui/icons-material/KeyOutlined";
import PersonOutlined from "@mui/icons-material/PersonOutlined";
import PhoneCallbackOutlined from "@mui/icons-material/PhoneCallbackOutlined";
import ReceiptLongOutlined from "@mui/icons-material/ReceiptLongOutlined";
import RecordVoiceOverOutlined from "@mui/icons-material/RecordVoiceOverOutlined";
import SellOutlined from "@mui/icons-material/SellOutlined";
import SendOutlined from "@mui/icons-material/SendOutlined";
import SmartphoneOutlined from "@mui/icons-material/SmartphoneOutlined";
import SwapHorizOutlined from "@mui/icons-material/SwapHorizOutlined";
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";

export interface MenuEntry {
  to: string;
  label: string;
  icon: SvgIconComponent;
  /** Addresses that belong to the entry and are not below its own. */
  also?: readonly string[];
}

export interface MenuGroup {
  title: string;
  entries: MenuEntry[];
}

export const MENU: MenuGroup[] = [
  {
    title: "Message",
    entries: [
      { to: "/dashboard", label: "Dashboard", icon: DashboardOutlined },
      { to: "/dashboard/compose-sms", label: "SMS Campaign", icon: EditNoteOutlined },
      {
        to: "/dashboard/sent-messages",
        label: "Sent Messages",
        icon: SendOutlined,
        also: ["/dashboard/campaigns"],
      },
      { to: "/dashboard/text-to-speech", label: "Voice Message", icon: RecordVoiceOverOutlined },
      { to: "/dashboard/voice-reports", label: "Voice Reports", icon: PhoneCallbackOutlined },
      {
        to: "/dashboard/delivery-reports",
        label: "Delivery Reports",
        icon: AssessmentOutlined,
        also: ["/dashboard/failed-messages", "/dashboard/messages", "/dashboard/inbound-messages"],
      },
    ],
  },
  {
    title: "Sender ID",
    entries: [
      { to: "/dashboard/request-sender-id", label: "Request Sender ID", icon: BadgeOutlined },
      { to: "/dashboard/virtual-numbers", label: "Virtual Numbers", icon: DialpadOutlined },
      { to: "/dashboard/own-numbers", label: "Own Numbers", icon: SmartphoneOutlined },
    ],
  },
  {
    title: "Credit",
    entries: [
      { to: "/dashboard/buy-sms-online", label: "Fund ESPEE account", icon: AccountBalanceWalletOutlined },
      { to: "/dashboard/fund-with-paystack", label: "Fund Naira account", icon: CreditCardOutlined },
      { to: "/dashboard/transfer-funds", label: "Transfer Funds", icon: SwapHorizOutlined },
      { to: "/dashboard/pricing", label: "Pricing", icon: SellOutlined },
    ],
  },
  {
    title: "Contacts",
    entries: [
      { to: "/dashboard/phonebook", label: "Phonebook", icon: ContactsOutlined },
      { to: "/dashboard/upload-contacts", label: "Upload Contacts", icon: UploadFileOutlined },
    ],
  },
  {
    title: "Profile",
    entries: [
      { to: "/dashboard/profile-summary", label: "Profile Summary", icon: PersonOutlined },
      { to: "/dashboard/transaction-history", label: "Transaction History", icon: ReceiptLongOutlined },
    ],
  },
  {
    title: "For programs",
    entries: [
      { to: "/dashboard/api-keys", label: "API Keys", icon: KeyOutlined },
      { to: "/dashboard/webhooks", label: "Webhooks", icon: HubOutlined },
    ],
  },
];

/** The entry to highlight: the longest that the address opens with. */
export function activeEntry(path: string): string {
  const all = MENU.flatMap((group) =>
    group.entries.flatMap(({ to, also = [] }) => [to, ...also].map((address) => ({ to, address }))),
  );
  const fits = all.filter(
    ({ address }) => path === address || (address !== "/dashboard" && path.startsWith(`${address}/`)),
  );
  return fits.sort((a, b) => b.address.length - a.address.length)[0]?.to ?? "";
}
