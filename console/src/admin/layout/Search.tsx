// What administrators find by Ctrl-K: pages, users, campaigns by text or number, and all that went to a phone number.
import { api, ask } from "../../api/client";
import { type Hit, numberIn, Palette } from "../../design/Palette";
import { formatPhone } from "../../design/phone";
import { wordsOf } from "../../design/sendWords";
import { addressOf, filtered, userAddress } from "../address";
import { MENU } from "./menu";

export const PAGES: Hit[] = MENU.flatMap(({ title, entries }) =>
  entries.map(({ path, label }) => ({ group: title, label, to: addressOf(path) })),
);

export async function find(text: string): Promise<Hit[]> {
  const number = numberIn(text);
  const id = /^#?(\d{1,9})$/.exec(text)?.[1];
  const few = { q: text, page: 1, per_page: 5 };
  const [active, inactive, campaigns] = await Promise.all([
    ask(api.GET("/admin/get-all-active-users", { params: { query: few } })),
    ask(api.GET("/admin/get-all-inactive-users", { params: { query: few } })),
    ask(api.GET("/admin/get-all-camapaign-history", { params: { query: { ...few, numbers: 0 } } })),
  ]);
  return [
    ...(number
      ? [
          {
            group: "Number",
            label: formatPhone(number),
            about: "every message and call to it",
            to: filtered("messages", { number }),
          },
        ]
      : []),
    ...(id
      ? [
          {
            group: "Campaign",
            label: `Campaign ${Number(id)}`,
            to: addressOf(`campaign-history/${Number(id)}`),
          },
        ]
      : []),
    ...[...active.active_users, ...inactive.inactive_users].map((it) => ({
      group: "User",
      label: it.username,
      about: [it.name, it.status === "active" ? "" : it.status].filter(Boolean).join(", "),
      to: userAddress(it.id),
    })),
    ...campaigns.campaigns.map((it) => ({
      group: `Campaign ${it.id}`,
      label: it.msg || it.senderid,
      about: `${it.username}, ${wordsOf(it.sms_type).of(it.total_contacts)}`,
      to: addressOf(`campaign-history/${it.id}`),
    })),
  ];
}

export function Search() {
  return <Palette pages={PAGES} find={find} hint="Find a user, a campaign, a number, a page" />;
}
