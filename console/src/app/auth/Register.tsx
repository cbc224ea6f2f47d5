// `/auth/register`: who registers; then a code goes to the phone, and /auth/verify-reg takes it.
import { zodResolver } from "@hookform/resolvers/zod";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Navigate, Link as To, useNavigate } from "react-router-dom";
import { z } from "zod";
import { api, ask } from "../../api/client";
import { session, useSession } from "../../api/session";
import { FormField, placeProblem } from "../../design/form";
import { FormAlert } from "../../design/states";
import { useTitle } from "../../design/title";
import { toast } from "../../design/toasts";
import { KingsChatButton } from "./KingsChatButton";
import { REGISTERING } from "./registration";

const required = (name: string) => z.string().trim().min(1, `${name} is required`);

const registration = z
  .object({
    name: required("Name"),
    username: required("Username").pipe(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{2,31}$/i, "Use 3 to 32 letters, digits, dots, dashes or underscores"),
    ),
    email: required("Email").pipe(z.email("Email address is invalid")),
    phone_number: required("Phone number").pipe(
      z.string().regex(/^\+?[\d\s().-]{7,24}$/, "Write a phone number such as 08031234567"),
    ),
    password: z.string().min(1, "Password is required").min(8, "Use at least 8 characters"),
    password_confirmation: z.string(),
  })
  .refine((it) => it.password === it.password_confirmation, {
    path: ["password_confirmation"],
    message: "Passwords do not match",
  });

type Registration = z.infer<typeof registration>;

const FIELDS = ["name", "username", "email", "phone_number", "password", "password_confirmation"] as const;

export default function Register() {
  useTitle("Create an account");
  const navigate = useNavigate();
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<Registration>({
    resolver: zodResolver(registration),
    defaultValues: Object.fromEntries(FIELDS.map((name) => [name, ""])),
  });
  const starting = useMutation({
    mutationFn: (body: Registration) => ask(api.POST("/api/register/start", { body })),
    onSuccess: (answer, { phone_number }) => {
      session.keep(REGISTERING, JSON.stringify({ phone: phone_number, afterS: answer.resend_after_s }));
      toast.success("Code sent");
      navigate("/auth/verify-reg");
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, FIELDS)),
  });
  if (useSession()) return <Navigate to="/dashboard" replace />;
  return (
    <>
      <Typography variant="h1">Create an account</Typography>
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }}>
        Free. You pay for what you send, and see the price first.
      </Typography>
      <form
        noValidate
        onSubmit={handleSubmit((values) => {
          setRefused(null);
          starting.mutate(values);
        })}
      >
        <FormAlert text={refused} />
        <Stack sx={{ gap: 2 }}>
          <FormField name="name" control={control} label="Your name or business" autoComplete="name" />
          <FormField
            name="username"
            control={control}
            label="Username"
            autoComplete="username"
            helperText="3 to 32 letters, digits, dots, dashes or underscores"
          />
          <FormField name="email" control={control} label="Email" type="email" autoComplete="email" />
          <FormField
            name="phone_number"
            control={control}
            label="Phone number"
            type="tel"
            autoComplete="tel"
            helperText="Such as 08031234567. A code is sent to it."
          />
          <FormField
            name="password"
            control={control}
            label="Password"
            type="password"
            autoComplete="new-password"
            helperText="At least 8 characters"
          />
          <FormField
            name="password_confirmation"
            control={control}
            label="Password again"
            type="password"
            autoComplete="new-password"
          />
          <Button type="submit" variant="contained" size="large" loading={starting.isPending}>
            Create account
          </Button>
          <Typography variant="body2" color="textSecondary">
            By creating an account you accept the{" "}
            <Link component={To} to="/terms">
              terms
            </Link>{" "}
            and the{" "}
            <Link component={To} to="/privacy-policy">
              privacy policy
            </Link>
            .
          </Typography>
        </Stack>
      </form>
      <KingsChatButton />
      <Typography sx={{ mt: 3 }} color="textSecondary">
        Have an account?{" "}
        <Link component={To} to="/auth/login">
          Log in
        </Link>
      </Typography>
    </>
  );
}
