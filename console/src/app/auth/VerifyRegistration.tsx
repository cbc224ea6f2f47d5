// `/auth/verify-reg`: the code that came to the phone. Then the account exists, and signs in.
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link as To, useNavigate } from "react-router-dom";
import { api, ask } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { session } from "../../api/session";
import { CodeBoxes, complete } from "../../design/CodeBoxes";
import { ResendCode } from "../../design/ResendCode";
import { FormAlert } from "../../design/states";
import { useTitle } from "../../design/title";
import { toast } from "../../design/toasts";
import { REGISTERING, registering } from "./registration";

interface Wrong {
  phone?: string;
  code?: string;
  username?: string;
  form?: string;
}

export default function VerifyRegistration() {
  useTitle("Verify your phone");
  const navigate = useNavigate();
  const [begun] = useState(registering);
  const [phone, setPhone] = useState(begun.phone);
  const [code, setCode] = useState("");
  /** Another user name, once the one that was registered is known to be taken. */
  const [username, setUsername] = useState<string>();
  const [wrong, setWrong] = useState<Wrong>({});
  const verifying = useMutation({
    mutationFn: (entered: string) =>
      ask(api.POST("/api/register/verify", { body: { phone_number: phone, code: entered, username } })),
    onSuccess: ({ message }) => {
      session.drop(REGISTERING);
      toast.success(message);
      navigate("/auth/login");
    },
    onError: (problem) => {
      const at = problem instanceof ApiProblem ? problem : null;
      const found = {
        phone: at?.field("phone_number"),
        code: at?.field("code"),
        username: at?.field("username"),
      };
      if (found.username) setUsername((before) => before ?? "");
      setWrong(found.phone || found.code || found.username ? found : { form: messageOf(problem) });
    },
  });
  const submit = (entered: string) => {
    if (verifying.isPending) return;
    if (phone.trim() === "") return setWrong({ phone: "Please enter your phone number" });
    if (!complete(entered)) return setWrong({ code: "Please enter the 6-digit code" });
    setWrong({});
    verifying.mutate(entered);
  };
  return (
    <>
      <Typography variant="h1">Verify your phone</Typography>
      <Typography color="textSecondary" sx={{ mt: 0.75, mb: 3 }}>
        {begun.phone
          ? `We sent a text message with a 6-digit code to ${begun.phone}.`
          : "Enter the number you registered with, and the 6-digit code that came to it."}
      </Typography>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(code);
        }}
      >
        <FormAlert text={wrong.form} />
        <Stack sx={{ gap: 2.5 }}>
          {!begun.phone && (
            <TextField
              label="Phone number"
              type="tel"
              autoComplete="tel"
              value={phone}
              onChange={(event) => setPhone(event.target.value)}
              error={!!wrong.phone}
              helperText={wrong.phone}
            />
          )}
          <CodeBoxes
            label="6-digit code"
            value={code}
            onChange={setCode}
            onComplete={submit}
            error={wrong.code ?? (begun.phone ? wrong.phone : undefined)}
            autoFocus={!!begun.phone}
          />
          {username !== undefined && (
            <TextField
              label="Another user name"
              autoComplete="username"
              value={username}
              onChange={(event) => setUsername(event.target.value)}
              error={!!wrong.username}
              helperText={wrong.username}
            />
          )}
          <Button type="submit" variant="contained" size="large" loading={verifying.isPending}>
            Verify
          </Button>
          <ResendCode
            afterS={begun.afterS}
            send={() => ask(api.POST("/api/register/resend", { body: { phone_number: phone } }))}
          />
        </Stack>
      </form>
      <Typography sx={{ mt: 2 }} color="textSecondary">
        Wrong number?{" "}
        <Link component={To} to="/auth/register">
          Start over
        </Link>
      </Typography>
    </>
  );
}
