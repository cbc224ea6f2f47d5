// "Send another code", once the daemon will send one.
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { messageOf } from "../../api/problem";
import type { components } from "../../api/schema";
import { toast } from "../../design/toasts";

interface Props {
  /** How long until the first one may be asked for. */
  afterS: number;
  send: () => Promise<components["schemas"]["CodeSent"]>;
}

export function ResendCode({ afterS, send }: Props) {
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
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <Button
      disabled={left > 0}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
      sx={{ alignSelf: "flex-start", px: 0.5 }}
    >
      {left > 0 ? `Send another code in ${left} s` : "Send another code"}
    </Button>
  );
}
