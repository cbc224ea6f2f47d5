// What a customer finds by Ctrl-K: pages, campaigns by text and number, contact groups, and what went to a phone number.
import { api, ask } from "../../api/client";
import { formatDateTime } from "../../design/dateTime";
import { type Hit, numberIn, Palette } from "../../design/Palette";
import { formatPhone } from "../../design/phone";
import { wordsOf } from "../../design/sendWords";
import { MENU } from "./menu";

const MORE: Hit[] = [
  { group: "Message", label: "Failed Messages", to: "/dashboard/failed-messages" },
  { group: "Message", label: "Find a Number", to: "/dashboard/messages" },
  { group: "Message", label: "Replies", to: "/dashboard/inbound-messages" },
  { group: "Contacts", label: "All Contacts", to: "/dashboard/phonebook/contacts" },
  { group: "Contacts", label: "Opt-outs", to: "/dashboard/phonebook/opt-outs" },
  { group: "Contacts", label: "Imports", to: "/dashboard/phonebook/imports" },
  { group: "Profile", label: "Security and sessions", to: "/dashboard/profile-summary/security" },
];

export const PAGES: Hit[] = [
  ...MENU.flatMap(({ title, entries }) => entries.map(({ to, label }) => ({ group: title, label, to }))),
  ...MORE,
];

export async function find(text: string): Promise<Hit[]> {
  const number = numberIn(text);
  const few = { q: text, page: 1, per_page: 5 };
  const [campaigns, groups] = await Promise.all([
    ask(api.GET("/api/get-campaign-history", { params: { query: { ...few, numbers: 0 } } })),
    ask(api.GET("/api/get/group", { params: { query: few } })),
  ]);
  return [
    ...(number
      ? [
          {
            group: "Number",
            label: formatPhone(number),
            about: "every message and call to it",
            to: `/dashboard/messages?number=${encodeURIComponent(number)}`,
          },
        ]
      : []),
    ...campaigns.campaigns.map((it) => ({
      group: `Campaign ${it.id}`,
      label: it.msg || it.senderid,
      about: `${wordsOf(it.sms_type).of(it.total_contacts)}, ${formatDateTime(it.created_at)}`,
      to: `/dashboard/campaigns/${it.id}`,
    })),
    ...groups.groups.map((it) => ({
      group: "Group",
      label: it.group_name,
      to: `/dashboard/phonebook/${it.id}`,
    })),
  ];
}

export function Search() {
  return <Palette pages={PAGES} find={find} hint="Find a page, a campaign, a group, a number" />;
}
