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
import { useEdited } from "./account";

const shape = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "Enter all 6 digits"),
});

export function EmailCodeDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const edited = useEdited();
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { code: "" },
  });
  const confirming = useMutation({
    mutationFn: (body: { code: string }) => ask(api.POST("/api/confirm-email", { body })),
    onSuccess: async (answer) => {
      toast.success(answer.message);
      onClose();
      await edited(answer);
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["code"])),
  });
  return (
    <FormDialog
      title="Confirm your new email"
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
        A code of six digits was sent to <strong>{email}</strong>. Until you enter it, your old address
        counts.
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
