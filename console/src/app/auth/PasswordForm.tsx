// The form of both doors: e-mail and password, then the six-digit code where the address is not proven yet.
import { zodResolver } from "@hookform/resolvers/zod";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { startSession } from "../../api/queries";
import { FormField, placeProblem } from "../../design/form";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { EmailCodeDialog } from "./EmailCodeDialog";
import { type Credentials, credentials, homeOf, type LoginKind, type SignedIn, signIn } from "./signIn";

export function PasswordForm({ door }: { door: LoginKind }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const [wanted, setWanted] = useState<{ username: string; message: string } | null>(null);
  const { control, handleSubmit, setError } = useForm<Credentials>({
    resolver: zodResolver(credentials),
    defaultValues: { email: "", password: "" },
  });

  const enter = (answer: SignedIn) => {
    startSession(client, answer);
    toast.success("Logged in Successfully");
    navigate(homeOf(answer.user, door), { replace: true });
  };

  const asking = useMutation({
    mutationFn: (values: Credentials) => signIn(door, values),
    onSuccess: (answer, { email }) => {
      if ("token" in answer) enter(answer);
      else setWanted({ username: email.trim(), message: answer.message });
    },
    onError: (problem) =>
      setRefused(placeProblem(problem, setError, ["email", "password"], { username: "email" })),
  });

  return (
    <>
      <form
        noValidate
        onSubmit={handleSubmit((values) => {
          setRefused(null);
          asking.mutate(values);
        })}
      >
        <FormAlert text={refused} />
        <Stack sx={{ gap: 2 }}>
          <FormField name="email" control={control} label="Email or user name" autoComplete="username" />
          <FormField
            name="password"
            control={control}
            label="Password"
            type="password"
            autoComplete="current-password"
          />
          <Button type="submit" variant="contained" size="large" loading={asking.isPending}>
            Log in
          </Button>
        </Stack>
      </form>
      {wanted && <EmailCodeDialog {...wanted} onSignedIn={enter} onClose={() => setWanted(null)} />}
    </>
  );
}
