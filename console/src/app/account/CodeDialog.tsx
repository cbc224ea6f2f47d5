import { zodResolver } from "@hookform/resolvers/zod";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask } from "../../api/client";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { toast } from "../../design/toasts";
import { useApplyEdit } from "./account";

const shape = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "Enter all 6 digits"),
});

/** A new address or number that waits for the code that was sent to it. */
export interface Waiting {
  what: "email" | "phone";
  to: string;
}

const WORDS = {
  email: { title: "Confirm your new email", old: "your old address counts" },
  phone: { title: "Confirm your new phone number", old: "your old number counts" },
} as const;

export function CodeDialog({ waiting, onClose }: { waiting: Waiting; onClose: () => void }) {
  const { what, to } = waiting;
  const edited = useApplyEdit();
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { code: "" },
  });
  const confirming = useMutation({
    mutationFn: (body: { code: string }) =>
      what === "email"
        ? ask(api.POST("/api/confirm-email", { body }))
        : ask(api.POST("/api/confirm-phone", { body })),
    onSuccess: async (answer) => {
      toast.success(answer.message);
      onClose();
      await edited(answer);
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["code"])),
  });
  return (
    <FormDialog
      title={WORDS[what].title}
      submit="Confirm"
      maxWidth="xs"
      busy={confirming.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        confirming.mutate(values);
      })}
    >
      <Typography>
        A code of six digits was sent to <strong>{to}</strong>. Until you enter it, {WORDS[what].old}.
      </Typography>
      <FormField
        name="code"
        control={control}
        label="Six-digit code"
        autoComplete="one-time-code"
        slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 6 } }}
      />
    </FormDialog>
  );
}
