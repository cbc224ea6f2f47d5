import { zodResolver } from "@hookform/resolvers/zod";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask } from "../../api/client";
import { FormField, placeProblem } from "../../design/form";
import { FormAlert } from "../../design/states";
import { toast } from "../../design/toasts";
import { accountKey } from "./account";

const shape = z
  .object({
    current_password: z.string().min(1, "Password is required"),
    password: z
      .string()
      .min(1, "Password is required")
      .refine((it) => it === "" || it.length >= 8, "Password must have at least 8 characters"),
    password_confirmation: z.string(),
  })
  .refine((it) => it.password === it.password_confirmation, {
    path: ["password_confirmation"],
    message: "Passwords do not match",
  });
type Values = z.infer<typeof shape>;

const EMPTY: Values = { current_password: "", password: "", password_confirmation: "" };

export function PasswordChange() {
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError, reset } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: EMPTY,
  });
  const changing = useMutation({
    mutationFn: (body: Values) => ask(api.POST("/api/change-password", { body })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      reset(EMPTY);
      await client.invalidateQueries({ queryKey: accountKey("sessions") });
    },
    onError: (problem) =>
      setRefused(placeProblem(problem, setError, ["current_password", "password", "password_confirmation"])),
  });
  return (
    <Card component="section" aria-labelledby="password" sx={{ p: { xs: 2, sm: 3 } }}>
      <Typography id="password" variant="h2" sx={{ mb: 0.5 }}>
        Password
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 2.5 }}>
        A new password ends all your other sessions.
      </Typography>
      <form
        noValidate
        aria-label="Change your password"
        onSubmit={handleSubmit((values) => {
          setRefused(null);
          changing.mutate(values);
        })}
      >
        <FormAlert text={refused} />
        <Stack sx={{ gap: 2, maxWidth: 420 }}>
          <FormField
            name="current_password"
            control={control}
            label="Current password"
            type="password"
            autoComplete="current-password"
          />
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
          <Button
            type="submit"
            variant="contained"
            loading={changing.isPending}
            sx={{ alignSelf: "flex-start" }}
          >
            Change password
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
