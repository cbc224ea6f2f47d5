// Another code, once the daemon will send one.
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { messageOf } from "../api/problem";
import { toast } from "./toasts";

interface Props {
  /** How long until the first one may be asked for. */
  afterS: number;
  send: () => Promise<{ resend_after_s: number }>;
  label?: string;
  /** Where a refusal goes; a toast unless given. */
  onRefused?: (problem: unknown) => void;
}

export function ResendCode({ afterS, send, label = "Send another code", onRefused }: Props) {
  const [left, setLeft] = useState(afterS);
  useEffect(() => {
    const clock = window.setInterval(() => setLeft((it) => Math.max(0, it - 1)), 1000);
    return () => window.clearInterval(clock);
  }, []);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      setLeft(answer.resend_after_s);
      toast.success("Code sent");
    },
    onError: (problem) => (onRefused ? onRefused(problem) : toast.error(messageOf(problem))),
  });
  return (
    <Button
      disabled={left > 0}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
      sx={{ alignSelf: "flex-start", px: 0.5 }}
    >
      {left > 0 ? `${label} in ${left} s` : label}
    </Button>
  );
}
