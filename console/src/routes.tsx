// Every address of the console and the file behind it. A page is a default export, loaded when it is first opened.
//
// Three rooms load apart: the site (no MUI), the sign-in and the dashboard (MUI), the administration (react-admin,
// which routes within /dashboard/admin itself).
import type { ComponentType } from "react";
import type { RouteObject } from "react-router-dom";
import { Root, RootError, RootLoading } from "./Root";
import Landing from "./site/Landing";
import { SiteLayout } from "./site/SiteLayout";

type Load = () => Promise<{ default: ComponentType }>;

const at = (path: string, load: Load): RouteObject => ({ path, lazy: lazily(load) });
const index = (load: Load): RouteObject => ({ index: true, lazy: lazily(load) });
const lazily = (load: Load) => async () => ({ Component: (await load()).default });

const site: RouteObject[] = [
  { index: true, Component: Landing },
  at("about", () => import("./site/About")),
  at("contact", () => import("./site/Contact")),
  at("privacy-policy", () => import("./site/PrivacyPolicy")),
  at("terms", () => import("./site/Terms")),
  at("*", () => import("./site/NotFound")),
];

const auth: RouteObject[] = [
  at("login", () => import("./app/auth/AdminLogin")),
  at("auth/login", () => import("./app/auth/Login")),
  at("auth/register", () => import("./app/auth/Register")),
  at("auth/verify-reg", () => import("./app/auth/VerifyRegistration")),
  at("auth/forgot-password", () => import("./app/auth/ForgotPassword")),
];

const dashboard: RouteObject[] = [
  index(() => import("./app/home/Home")),
  at("sent-messages", () => import("./app/campaigns/SentMessages")),
  at("delivery-reports", () => import("./app/campaigns/DeliveryReports")),
  at("failed-messages", () => import("./app/campaigns/FailedMessages")),
  at("campaigns/:id", () => import("./app/campaigns/CampaignPage")),
  at("messages", () => import("./app/campaigns/FindNumber")),
  at("messages/:id", () => import("./app/campaigns/MessagePage")),
  at("inbound-messages", () => import("./app/inbound/Inbound")),
  at("voice-reports", () => import("./app/campaigns/VoiceReports")),
  at("compose-sms", () => import("./app/compose/Page")),
  at("text-to-speech", () => import("./app/compose/voice/Page")),
  at("phonebook", () => import("./app/contacts/Phonebook")),
  at("phonebook/contacts", () => import("./app/contacts/AllContacts")),
  at("phonebook/opt-outs", () => import("./app/contacts/OptOuts")),
  at("phonebook/imports", () => import("./app/contacts/Imports")),
  at("phonebook/imports/:id", () => import("./app/contacts/ImportPage")),
  at("phonebook/:id", () => import("./app/contacts/Group")),
  at("upload-contacts", () => import("./app/contacts/Upload")),
  at("buy-sms-online", () => import("./app/money/FundEspees")),
  at("fund-with-paystack", () => import("./app/money/FundNaira")),
  at("transfer-funds", () => import("./app/money/TransferFunds")),
  at("pricing", () => import("./app/money/Pricing")),
  at("transaction-history", () => import("./app/money/Transactions")),
  at("request-sender-id", () => import("./app/senders/SenderIds")),
  at("virtual-numbers", () => import("./app/numbers/VirtualNumbers")),
  at("own-numbers", () => import("./app/numbers/OwnNumbers")),
  at("profile-summary", () => import("./app/account/Profile")),
  at("profile-summary/security", () => import("./app/account/Security")),
  at("api-keys", () => import("./app/account/ApiKeys")),
  at("webhooks", () => import("./app/webhooks/Webhooks")),
  at("webhooks/:id", () => import("./app/webhooks/WebhookPage")),
  at("*", () => import("./app/layout/NotFound")),
];

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RootError,
    HydrateFallback: RootLoading,
    children: [
      { path: "/", Component: SiteLayout, children: site },
      { path: "/", lazy: lazily(() => import("./app/auth/AuthLayout")), children: auth },
      { path: "/dashboard/admin/*", lazy: lazily(() => import("./admin/AdminApp")) },
      { path: "/dashboard", lazy: lazily(() => import("./app/layout/Dashboard")), children: dashboard },
    ],
  },
];
