// From the form to the campaign: ask for a quote, show it, confirm it.
// Invariant: one form asked twice in a silence is one quote, and a quote is confirmed once, however often it is clicked.
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { freshKey } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { toast } from "../../design/toasts";
import { type Confirmed, confirm, type Quote, quote } from "./calls";
import type { Draft } from "./draft";
import { identity } from "./merge";

interface Options {
  onRefused: (problem: unknown) => void;
  onSent: (confirmed: Confirmed) => void;
}

export function useSubmission({ onRefused, onSent }: Options) {
  const [offer, setOffer] = useState<Quote | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const unanswered = useRef<{ form: string; key: string } | null>(null);

  const asking = useMutation({
    mutationFn: ({ draft, files }: { draft: Draft; files: readonly File[] }) => {
      const form = JSON.stringify([draft, files.map((it) => identity(it))]);
      if (unanswered.current?.form !== form) unanswered.current = { form, key: freshKey() };
      return quote(draft, files, unanswered.current.key);
    },
    onSuccess: (answer) => {
      unanswered.current = null;
      setProblem(null);
      setOffer(answer);
    },
    onError: (thrown) => {
      if (thrown instanceof ApiProblem && thrown.status !== 0) unanswered.current = null;
      onRefused(thrown);
    },
  });

  const confirming = useMutation({
    mutationFn: confirm,
    onSuccess: (confirmed) => {
      setOffer(null);
      onSent(confirmed);
    },
    onError: (thrown) => {
      toast.error("Error in sending Message");
      setProblem(messageOf(thrown));
    },
  });

  return {
    quote: offer,
    problem,
    asking: asking.isPending,
    confirming: confirming.isPending,
    ask: (draft: Draft, files: readonly File[]) => {
      if (!asking.isPending) asking.mutate({ draft, files });
    },
    confirm: () => {
      if (offer && !confirming.isPending) confirming.mutate(offer);
    },
    cancel: () => setOffer(null),
  };
}
