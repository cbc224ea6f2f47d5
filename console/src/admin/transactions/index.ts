// Money of all customers: every movement of a wallet, payments with their provider, and what providers told of refunds.
import { lazy } from "react";
import type { ResourcePages } from "../resource";

export const transactions: ResourcePages = {
  name: "transactions",
  list: lazy(() => import("./TransactionList")),
};

export const payments: ResourcePages = {
  name: "payments",
  list: lazy(() => import("./PaymentList")),
};

export const paymentEvents: ResourcePages = {
  name: "payment-events",
  list: lazy(() => import("./PaymentEventList")),
};

export const margins: ResourcePages = {
  name: "margins",
  list: lazy(() => import("./MarginList")),
};
