import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask, freshKey } from "../../api/client";
import type { components } from "../../api/schema";
import { useSession } from "../../api/session";
import { Checklist } from "../../design/Checklist";
import { DefaultPurpose } from "../../design/DefaultPurpose";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";

type NewApiKey = components["schemas"]["NewApiKey"];

const shape = z.object({
  name: z.string().trim().min(1, "Name is required"),
  scopes: z.array(z.string()).min(1, "Choose what the key may do"),
  purpose: z.enum(["", "promotional", "transactional", "otp"]),
});
type Values = z.infer<typeof shape>;

const SCOPES = [
  ["read", "Read", "Balances, contacts, campaigns and reports"],
  ["send", "Send", "Quote, confirm, pause and cancel campaigns, and change contacts"],
] as const;
const ADMIN = ["admin", "Administrate", "Everything an administrator may do"] as const;

interface Props {
  onClose: () => void;
  onMade: (made: NewApiKey) => void;
}

export function ApiKeyDialog({ onClose, onMade }: Props) {
  const admin = useSession()?.user.role === "admin";
  const [key] = useState(freshKey);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: { name: "", scopes: ["read"], purpose: "" },
  });
  const { field: scopes, fieldState } = useController({ name: "scopes", control });
  const { field: purpose, fieldState: purposeState } = useController({ name: "purpose", control });
  const sends = scopes.value.includes("send");
  const making = useMutation({
    // A key that may not send has no messages to say it of.
    mutationFn: ({ purpose, ...rest }: Values) => {
      const body = purpose && rest.scopes.includes("send") ? { ...rest, purpose } : rest;
      return ask(api.POST("/api/api-keys", { body, headers: { "Idempotency-Key": key } }));
    },
    onSuccess: onMade,
    onError: (problem) => setRefused(placeProblem(problem, setError, ["name", "scopes", "purpose"])),
  });
  return (
    <FormDialog
      title="New API key"
      submit="Create key"
      busy={making.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        making.mutate(values);
      })}
    >
      <FormField
        name="name"
        control={control}
        label="Name"
        helperText="What uses it, such as nightly import"
        autoComplete="off"
        slotProps={{ htmlInput: { maxLength: 100 } }}
      />
      <Checklist
        label="Permissions"
        options={admin ? [...SCOPES, ADMIN] : SCOPES}
        value={scopes.value}
        onChange={scopes.onChange}
        problem={fieldState.error?.message}
      />
      {sends && (
        <DefaultPurpose
          label="Messages are for"
          none="As set for the sender and the account"
          value={purpose.value}
          onChange={purpose.onChange}
          error={purposeState.invalid}
          helperText={purposeState.error?.message}
        />
      )}
    </FormDialog>
  );
}
