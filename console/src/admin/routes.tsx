// Every address below /dashboard/admin and the file behind it. Any other shows "not found".
import { type ComponentType, lazy, type ReactElement } from "react";
import { CustomRoutes, Resource } from "react-admin";
import { Route, useParams } from "react-router-dom";
import { announcement } from "./announcement";
import { auditTrail } from "./audit";
import { campaigns } from "./campaigns";
import { carriers } from "./carriers";
import { inbound } from "./inbound";
import { NotFound } from "./layout/NotFound";
import { messageUsers } from "./message-users";
import { messages, unknownMessages } from "./messages/index";
import { ownNumbers, virtualNumbers } from "./numbers";
import type { ResourcePages } from "./resource";
import { senders } from "./senders";
import { margins, paymentEvents, payments, transactions } from "./transactions";
import { manageUsers } from "./users";
import { voiceReports } from "./voice-reports";
import { webhooks } from "./webhooks";

/** A list at its own address, `create` and `:id` below it, as react-admin has them. */
export const RESOURCE_PAGES: readonly ResourcePages[] = [
  announcement,
  auditTrail,
  manageUsers,
  messageUsers,
  senders,
  virtualNumbers,
  ownNumbers,
  campaigns,
  voiceReports,
  messages,
  unknownMessages,
  inbound,
  carriers,
  webhooks,
  transactions,
  payments,
  paymentEvents,
  margins,
];

/** Pages that are not of one resource, and single settings. */
export const PAGES: readonly { path: string; page: ComponentType }[] = [
  { path: "set-wallet-address", page: lazy(() => import("./settings/WalletAddress")) },
  { path: "set-sms-unit-price", page: lazy(() => import("./prices/SmsUnitPrice")) },
  { path: "rates", page: lazy(() => import("./prices/Rates")) },
  { path: "set-paystack-unit-price", page: lazy(() => import("./prices/NairaUnitPrice")) },
  { path: "set-voice-unit-price", page: lazy(() => import("./prices/VoiceUnitPrice")) },
  { path: "set-paystack-keys", page: lazy(() => import("./settings/PaystackKeys")) },
  { path: "set-sms-api-key", page: lazy(() => import("./settings/SmsApiKey")) },
  { path: "set-espee-api-key", page: lazy(() => import("./settings/EspeeApiKey")) },
  { path: "set-contact-address", page: lazy(() => import("./settings/ContactAddress")) },
  { path: "set-contact-phone", page: lazy(() => import("./settings/ContactPhone")) },
  { path: "set-contact-email", page: lazy(() => import("./settings/ContactEmail")) },
  { path: "set-pricing", page: lazy(() => import("./settings/SetPricing")) },
  { path: "maintainance", page: lazy(() => import("./settings/Maintenance")) },
  { path: "data-requests", page: lazy(() => import("./data-requests/DataRequests")) },
  { path: "assign-espees", page: lazy(() => import("./wallet/AssignEspees")) },
  { path: "assign-naira", page: lazy(() => import("./wallet/AssignNaira")) },
];

/** The index: Profile Summary. */
export const Index = lazy(() => import("./home/Home"));

/** react-admin's routes take whatever follows; an address that goes on is none of ours. */
function exactly(Page?: ComponentType): ReactElement | undefined {
  return Page && <Exactly page={Page} />;
}

function Exactly({ page: Page }: { page: ComponentType }) {
  return useParams()["*"] ? <NotFound /> : <Page />;
}

/** What <Admin> takes as its children. */
export const adminRoutes = [
  ...RESOURCE_PAGES.map(({ name, list, create, edit, show, more = [] }) => (
    <Resource
      key={name}
      name={name}
      list={exactly(list)}
      create={exactly(create)}
      edit={exactly(edit)}
      show={exactly(show)}
    >
      {more.map(({ path, page: Page }) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
    </Resource>
  )),
  <CustomRoutes key="pages">
    {PAGES.map(({ path, page: Page }) => (
      <Route key={path} path={path} element={<Page />} />
    ))}
  </CustomRoutes>,
];
