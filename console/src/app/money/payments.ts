// Payments by both providers: begun, remembered between redirect and return, confirmed.
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { asAmount } from "../../api/amount";
import { api, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";

export type Payment = components["schemas"]["Payment"];
export type Confirmed = components["schemas"]["PaymentConfirmed"];
export type Provider = "espees" | "paystack";

/** The specification's text for inactive accounts. */
export const INACTIVE = "Please Contact Admin to activate your account";

/** Where the reference is kept while the payer is away. */
export const REFERENCE_KEYS: Record<Provider, string> = {
  espees: "payment_ref",
  paystack: "paystack_reference",
};

const SKU = "SMS-CREDIT";

export interface StartedPayment {
  reference: string;
  url: string;
}

export async function startEspees(amount: string, narration: string, key: string): Promise<StartedPayment> {
  const body = { price: asAmount(amount), narration, product_sku: SKU };
  const headers = { "Idempotency-Key": key };
  const answer = await ask(api.POST("/api/payment-initiate", { body, headers }));
  return { reference: answer["payment-ref"], url: answer.payment_url };
}

export async function startPaystack(amount: string, narration: string, key: string): Promise<StartedPayment> {
  const body = { amount: asAmount(amount), ...(narration ? { narration } : {}) };
  const headers = { "Idempotency-Key": key };
  const answer = await ask(api.POST("/api/paystack-payment-initiate", { body, headers }));
  return { reference: answer.reference, url: answer.authorization_url };
}

/** Asks the provider, by the daemon: what was paid is credited, once, however often this is called. */
export function confirm(provider: Provider, reference: string): Promise<Confirmed> {
  if (provider === "paystack") return ask(api.POST("/api/paystack-payment-confirm", { body: { reference } }));
  return ask(api.POST("/api/payment-confirm", { body: { payment_ref: reference } }));
}

const RECENT = 20;

export const paymentsQuery = (provider: Provider) =>
  queryOptions({
    queryKey: own("money", "payments", provider),
    queryFn: async () => {
      const query = { provider, page: 1, per_page: RECENT };
      return (await ask(api.GET("/api/payments", { params: { query } }))).payments;
    },
  });

/** After money moved: balances, payments and the history are asked for again. */
export function useInvalidateMoney(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: own("balances") }),
      client.invalidateQueries({ queryKey: own("money") }),
    ]);
  }, [client]);
}

export function isOpen(payment: Payment): boolean {
  return payment.status === "initiated" || payment.status === "pending";
}
