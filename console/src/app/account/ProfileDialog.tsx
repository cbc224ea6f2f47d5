// The profile's form. Only what was changed is sent; a new address counts once its code is entered.
import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { z } from "zod";
import type { User } from "../../api/session";
import { Choice } from "../../design/Choice";
import { DEFAULT_ZONE } from "../../design/dateTime";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { toast } from "../../design/toasts";
import { editProfile, useApplyEdit } from "./account";
import type { Waiting } from "./CodeDialog";

const shape = z.object({
  name: z.string().trim().min(1, "Name is required"),
  email: z
    .string()
    .trim()
    .min(1, "Email is required")
    .refine((it) => it === "" || z.email().safeParse(it).success, "Email address is invalid"),
  phone_number: z.string().trim(),
  gender: z.string().trim().max(40, "Gender must have at most 40 characters"),
  zone: z.string(),
});
type Values = z.infer<typeof shape>;
const FIELDS = ["name", "email", "phone_number", "gender", "zone"] as const;

interface Props {
  user: User;
  onClose: () => void;
  /** What counts only once its code is entered. */
  onWaiting: (waiting: Waiting[]) => void;
}

export function ProfileDialog({ user, onClose, onWaiting }: Props) {
  const edited = useApplyEdit();
  const [refused, setRefused] = useState<string | null>(null);
  const before: Values = {
    name: user.name,
    email: user.email,
    phone_number: user.phone_number ? `+${user.phone_number}` : "",
    gender: user.gender ?? "",
    zone: user.zone ?? DEFAULT_ZONE,
  };
  const { control, handleSubmit, setError } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: before,
  });
  const { field: zone, fieldState: zoneState } = useController({ name: "zone", control });
  const saving = useMutation({
    mutationFn: (values: Values) =>
      editProfile(
        Object.fromEntries(FIELDS.filter((it) => values[it] !== before[it]).map((it) => [it, values[it]])),
      ),
    onSuccess: async (answer, { email, phone_number }) => {
      toast.success(answer.message);
      onClose();
      onWaiting([
        ...(answer.requires_email_verification ? [{ what: "email" as const, to: email }] : []),
        ...(answer.requires_phone_verification ? [{ what: "phone" as const, to: phone_number }] : []),
      ]);
      await edited(answer);
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, FIELDS)),
  });
  const zones = [...new Set([before.zone, DEFAULT_ZONE, ...Intl.supportedValuesOf("timeZone")])];

  return (
    <FormDialog
      title="Edit profile"
      submit="Save"
      busy={saving.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        if (FIELDS.every((it) => values[it] === before[it])) onClose();
        else saving.mutate(values);
      })}
    >
      <FormField name="name" control={control} label="Name" autoComplete="name" />
      <FormField
        name="email"
        control={control}
        label="Email"
        type="email"
        autoComplete="email"
        helperText="A code is sent to a new address, and it counts once you enter the code"
      />
      <FormField
        name="phone_number"
        control={control}
        label="Phone number"
        type="tel"
        autoComplete="tel"
        helperText="A code is sent to a new number too"
      />
      <FormField name="gender" control={control} label="Gender" helperText="In your own words, if you like" />
      <Choice
        label="Time zone"
        name="zone"
        value={zone.value}
        onChange={zone.onChange}
        error={zoneState.invalid}
        helperText={zoneState.error?.message ?? "Times are shown in it"}
        options={zones.map((it) => [it, it.replaceAll("_", " ")] as const)}
      />
    </FormDialog>
  );
}
