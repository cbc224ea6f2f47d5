// Asks for the password again where the daemon wants a fresh proof of identity, and lets the refused call go on.
import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask, reauthenticateBy } from "../api/client";
import { FormDialog } from "./FormDialog";
import { FormField, placeProblem } from "./form";

type Answer = (proven: boolean) => void;

/** Render it once on a page whose calls may need a fresh proof. */
export function Reauthentication() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => reauthenticateBy(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (!answer) return null;
  return (
    <PasswordDialog
      onDone={(proven) => {
        setAnswer(null);
        answer(proven);
      }}
    />
  );
}

const shape = z.object({ password: z.string().min(1, "Password is required") });
type Values = z.infer<typeof shape>;

function PasswordDialog({ onDone }: { onDone: Answer }) {
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
