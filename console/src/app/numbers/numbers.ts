// Numbers that calls can come from: those that the platform assigns, and phones of the customer's own.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { api, asForm, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { TableState } from "../../design/tableState";

export type VirtualNumber = components["schemas"]["VirtualNumber"];
export type OwnNumber = components["schemas"]["OwnNumber"];

/** The key of all that is known of numbers, also of those that the page of calls offers. */
export const numbersKey = () => own("numbers");

export const virtualNumbersQuery = (query: TableState["query"]) =>
  queryOptions({
    queryKey: own("numbers", "virtual", query),
    queryFn: async () => {
      const answer = await ask(api.GET("/api/get-virtual-number", { params: { query } }));
      return { rows: answer["virtual-Number"], total: answer.total };
    },
    placeholderData: keepPreviousData,
    // A user who waits on this page for an assignment sees it arrive.
    refetchInterval: 60_000,
  });

export const ownNumbersQuery = (query: TableState["query"]) =>
  queryOptions({
    queryKey: own("numbers", "own", query),
    queryFn: async () => {
      const answer = await ask(api.GET("/api/get-own-number", { params: { query } }));
      return { rows: answer["Own-Number"], total: answer.total };
    },
    placeholderData: keepPreviousData,
  });

export const callShape = z.object({
  own_number: z.string().trim().min(1, "Please enter your phone number"),
  payment_method: z
    .enum(["", "espees", "paystack"])
    .refine((method) => method !== "", "Payment method is required"),
});

export type CallRequest = z.input<typeof callShape>;

export const NO_CALL: CallRequest = { own_number: "", payment_method: "" };

/** Has a number called by a voice that speaks its code. The same key is one call, paid once. */
export function callWithCode(request: CallRequest, key: string) {
  return voiceCall(request, { "Idempotency-Key": key });
}

/** Proves a number by the code that its call spoke. */
export function verify(own_number: string, validation_code: string) {
  return voiceCall({ own_number, validation_code });
}

/** The document describes the answers to campaigns of calls. */
interface Answered {
  message: string;
  /** How long until another call may be asked for. */
  resend_after_s?: number;
}

function voiceCall(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answered> {
  const call = api.POST("/api/voice-call", { body: {}, bodySerializer: () => asForm(form), headers });
  return ask<unknown>(call as never) as Promise<Answered>;
}
