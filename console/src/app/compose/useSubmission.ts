// From a form to the campaign: ask for a quote, show it, confirm it.
// Invariant: one form asked twice in a silence is one quote, and a quote is confirmed once, however often it is clicked.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Confirmed, confirmQuote } from "../../api/confirmQuote";
import { messageOf } from "../../api/problem";
import { useRequestKey } from "../../api/useRequestKey";
import type { Toasts } from "../../design/toasts";
import type { Quote } from "./calls";
import { inPlainWords } from "./first";

interface Options<Form> {
  /** What tells two forms apart. */
  identityOf: (form: Form) => string;
  quote: (form: Form, key: string) => Promise<Quote>;
  /** What it is called when confirming fails; the daemon's words where it has no name. */
  failure?: string;
  toasts: Toasts;
  onQuoted: (quote: Quote) => void;
  onRefused: (problem: unknown) => void;
  onSent: (confirmed: Confirmed) => void;
}

export function useSubmission<Form>(options: Options<Form>) {
  const [offer, setOffer] = useState<Quote | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const request = useRequestKey();

  const asking = useMutation({
    mutationFn: (written: Form) => options.quote(written, request.keyOf(options.identityOf(written))),
    onSuccess: (answer) => {
      request.answered();
      setProblem(null);
      setOffer(answer);
      options.onQuoted(answer);
    },
    onError: (thrown) => {
      request.answered(thrown);
      options.onRefused(thrown);
    },
  });

  const confirming = useMutation({
    mutationFn: confirmQuote,
    onSuccess: (confirmed) => {
      setOffer(null);
      options.onSent(confirmed);
    },
    onError: (thrown) => {
      const told = messageOf(inPlainWords(thrown));
      options.toasts.error(options.failure ?? told);
      setProblem(told);
    },
  });

  return {
    quote: offer,
    problem,
    asking: asking.isPending,
    confirming: confirming.isPending,
    ask: (form: Form) => {
      if (!asking.isPending) asking.mutate(form);
    },
    confirm: () => {
      if (offer && !confirming.isPending) confirming.mutate(offer);
    },
    cancel: () => setOffer(null),
  };
}
