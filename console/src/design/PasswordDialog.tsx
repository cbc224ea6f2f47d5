// The password once more, before something that needs a fresh proof. Loaded when it is first asked for.
import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask } from "../api/client";
import { FormDialog } from "./FormDialog";
import { FormField, placeProblem } from "./form";

const shape = z.object({ password: z.string().min(1, "Password is required") });
type Values = z.infer<typeof shape>;

export default function PasswordDialog({ onDone }: { onDone: (proven: boolean) => void }) {
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: { password: "" },
  });
  const proving = useMutation({
    mutationFn: (body: Values) => ask(api.POST("/api/sessions/reauthenticate", { body })),
    onSuccess: () => onDone(true),
    onError: (problem) => setRefused(placeProblem(problem, setError, ["password"])),
  });
  return (
    <FormDialog
      title="Confirm that it is you"
      submit="Confirm"
      maxWidth="xs"
      busy={proving.isPending}
      problem={refused}
      onClose={() => onDone(false)}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        proving.mutate(values);
      })}
    >
      <FormField
        name="password"
        control={control}
        label="Password"
        type="password"
        autoComplete="current-password"
        helperText="You logged in more than ten minutes ago. Without a password, log out and in again."
      />
    </FormDialog>
  );
}
