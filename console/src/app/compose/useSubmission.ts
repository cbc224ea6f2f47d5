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

/** What is to be sent. */
interface Form {
  draft: Draft;
  files: readonly File[];
  /** Columns of the files that are read as numbers. */
  columns: readonly string[];
}

interface Options {
  onQuoted: (quote: Quote) => void;
  onRefused: (problem: unknown) => void;
  onSent: (confirmed: Confirmed) => void;
}

export function useSubmission({ onQuoted, onRefused, onSent }: Options) {
  const [offer, setOffer] = useState<Quote | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const unanswered = useRef<{ form: string; key: string } | null>(null);

  const asking = useMutation({
    mutationFn: ({ draft, files, columns }: Form) => {
      const form = JSON.stringify([draft, files.map((it) => identity(it)), columns]);
      if (unanswered.current?.form !== form) unanswered.current = { form, key: freshKey() };
      return quote(draft, files, columns, unanswered.current.key);
    },
    onSuccess: (answer) => {
      unanswered.current = null;
      setProblem(null);
      setOffer(answer);
      onQuoted(answer);
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
    ask: (form: Form) => {
      if (!asking.isPending) asking.mutate(form);
    },
    confirm: () => {
      if (offer && !confirming.isPending) confirming.mutate(offer);
    },
    cancel: () => setOffer(null),
  };
}
