// `/auth/forgot-password`: a code to the mailbox, then a new password. Whether the address has an account is not told.
import { zodResolver } from "@hookform/resolvers/zod";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link as To, useNavigate } from "react-router-dom";
import { z } from "zod";
import { api, ask } from "../../api/client";
import { ApiProblem } from "../../api/problem";
import { CodeBoxes, complete } from "../../design/CodeBoxes";
import { FormField, placeProblem } from "../../design/form";
import { ResendCode } from "../../design/ResendCode";
import { FormAlert } from "../../design/states";
import { useTitle } from "../../design/title";
import { toast } from "../../design/toasts";

const address = z.object({
  email: z.string().trim().min(1, "Email is required").pipe(z.email("Email address is invalid")),
});

const renewal = z
  .object({
    password: z.string().min(1, "Password is required"),
    password_confirmation: z.string(),
  })
  .refine((it) => it.password === it.password_confirmation, {
    path: ["password_confirmation"],
    message: "Passwords do not match",
  });

interface Asked {
  email: string;
  message: string;
  afterS: number;
}

export default function ForgotPassword() {
  useTitle("New password");
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      <Typography variant="h1">New password</Typography>
      {asked ? <Renew asked={asked} /> : <Ask onAsked={setAsked} />}
      <Typography sx={{ mt: 3 }} color="textSecondary">
        <Link component={To} to="/auth/login">
          Back to the sign-in
        </Link>
      </Typography>
    </>
  );
}

const forgot = (email: string) => ask(api.POST("/api/password/forgot", { body: { email } }));

function Ask({ onAsked }: { onAsked: (asked: Asked) => void }) {
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<z.infer<typeof address>>({
    resolver: zodResolver(address),
    defaultValues: { email: "" },
  });
  const asking = useMutation({
    mutationFn: forgot,
    onSuccess: (answer, email) => onAsked({ email, message: answer.message, afterS: answer.resend_after_s }),
    onError: (problem) => setRefused(placeProblem(problem, setError, ["email"])),
  });
  return (
    <form
      noValidate
      onSubmit={handleSubmit(({ email }) => {
        setRefused(null);
        asking.mutate(email);
      })}
    >
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }}>
        Give the address of your account. A 6-digit code is sent to it.
      </Typography>
      <FormAlert text={refused} />
      <Stack sx={{ gap: 2 }}>
        <FormField name="email" control={control} label="Email" type="email" autoComplete="email" />
        <Button type="submit" variant="contained" size="large" loading={asking.isPending}>
          Send the code
        </Button>
      </Stack>
    </form>
  );
}

function Renew({ asked }: { asked: Asked }) {
  const navigate = useNavigate();
  const [code, setCode] = useState("");
  const [revoke, setRevoke] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<z.infer<typeof renewal>>({
    resolver: zodResolver(renewal),
    defaultValues: { password: "", password_confirmation: "" },
  });
  const renewing = useMutation({
    mutationFn: (values: z.infer<typeof renewal>) =>
      ask(
        api.POST("/api/password/reset", {
          body: { email: asked.email, code, revoke_api_keys: revoke, ...values },
        }),
      ),
    onSuccess: ({ message, total_api_keys, kingschat_linked }) => {
      // In one toast: more than two would not fit, and the first would make room at once.
      const ways = [
        total_api_keys && `API keys that still work: ${total_api_keys}. Revoke what you do not know.`,
        kingschat_linked && "A KingsChat account is linked and still logs in.",
      ].filter(Boolean);
      toast.success([ways.length > 0 ? `${message}.` : message, ...ways].join(" "));
      navigate("/auth/login");
    },
    onError: (problem) => {
      const rest = placeProblem(problem, setError, ["password", "password_confirmation"]);
      const ofCode = (problem instanceof ApiProblem && problem.field("code")) || null;
      setWrong(ofCode);
      setRefused(ofCode ? null : rest);
    },
  });
  return (
    <form
      noValidate
      onSubmit={handleSubmit((values) => {
        if (!complete(code)) return setWrong("Enter all 6 digits");
        setWrong(null);
        setRefused(null);
        renewing.mutate(values);
      })}
    >
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }} role="status">
        {asked.message}: {asked.email}
      </Typography>
      <FormAlert text={refused} />
      <Stack sx={{ gap: 2.5 }}>
        <CodeBoxes label="6-digit code" value={code} onChange={setCode} error={wrong} autoFocus />
        <FormField
          name="password"
          control={control}
          label="New password"
          type="password"
          autoComplete="new-password"
          helperText="At least 8 characters"
        />
        <FormField
          name="password_confirmation"
          control={control}
          label="New password again"
          type="password"
          autoComplete="new-password"
        />
        <FormControlLabel
          control={<Checkbox checked={revoke} onChange={(_, checked) => setRevoke(checked)} />}
          label="Also revoke my API keys"
        />
        <Button type="submit" variant="contained" size="large" loading={renewing.isPending}>
          Set the password
        </Button>
        <ResendCode afterS={asked.afterS} send={() => forgot(asked.email)} />
      </Stack>
    </form>
  );
}
