// Numbers that calls can come from: those that the platform assigns, and phones of the customer's own.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
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

/** Which number is called, and what pays for it. */
export interface CallRequest extends Record<string, string> {
  own_number: string;
  payment_method: string;
}

/** A call that speaks a code. What is read of it. */
export interface CodeCall {
  id: number;
  /** In words, how it goes. */
  message: string;
  over: boolean;
  /** `espees` or `naira`. */
  currency: string;
  /** What was refunded. */
  refunded: number;
}

interface Called {
  message: string;
  details?: CodeCall;
}

/** Has a number called by a voice that speaks its code. The same key is one call, paid once. */
export function callWithCode(request: CallRequest, key: string): Promise<Called> {
  return voiceCall(request, { "Idempotency-Key": key });
}

/** Verifies a number by the code that its call spoke. */
export function verify(own_number: string, validation_code: string): Promise<{ message: string }> {
  return voiceCall({ own_number, validation_code });
}

/** Takes a verified number back. */
export function withdraw(number: string): Promise<{ message: string }> {
  return ask(api.DELETE("/api/own-numbers/{number}", { params: { path: { number } } }));
}

/** The endpoint of calls to many: without recipients it calls the number itself. */
function voiceCall(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Called> {
  const call = api.POST("/api/voice-call", { body: {}, bodySerializer: () => asForm(form), headers });
  return ask<unknown>(call as never) as Promise<Called>;
}

const CALL_POLL_MS = 1_500;

/** A call that speaks a code, followed until it is over. */
export function codeCallQuery(begun: CodeCall | undefined) {
  const params = { path: { id: begun?.id ?? 0 } };
  return queryOptions({
    queryKey: own("numbers", "call", begun?.id),
    queryFn: () => ask<CodeCall>(api.GET(CALL_PATH, { params }) as never),
    enabled: begun !== undefined,
    initialData: begun,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => (state.error || state.data?.over ? false : CALL_POLL_MS),
  });
}

/** Of the same shape as that of test calls. */
const CALL_PATH = "/api/own-number-calls/{id}" as "/api/voice-test/{id}";
