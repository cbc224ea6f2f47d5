import { zodResolver } from "@hookform/resolvers/zod";
import MenuItem from "@mui/material/MenuItem";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask, freshKey } from "../../api/client";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { REACHES } from "../../design/purpose";
import { toast } from "../../design/toasts";
import { useInvalidatePhonebook } from "./phonebook";

const shape = z.object({
  phone: z.string().trim().min(1, "Please provide a phone number."),
  reach: z.enum(["promotional", "all"]),
  note: z.string(),
});

export function OptOutDialog({ onClose }: { onClose: () => void }) {
  const changed = useInvalidatePhonebook();
  const [key] = useState(freshKey);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<z.infer<typeof shape>>({
    resolver: zodResolver(shape),
    defaultValues: { phone: "", reach: "all", note: "" },
  });
  const adding = useMutation({
    mutationFn: (body: z.infer<typeof shape>) =>
      ask(api.POST("/api/optouts", { body, headers: { "Idempotency-Key": key } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await changed();
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["phone", "reach", "note"])),
  });
  return (
    <FormDialog
      title="Add a number"
      submit="Add to opt-outs"
      busy={adding.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        adding.mutate(values);
      })}
    >
      <FormField name="phone" control={control} label="Phone number" type="tel" autoComplete="off" />
      <FormField name="reach" control={control} label="Ends" select>
        {REACHES.map(({ value, label }) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </FormField>
      <FormField name="note" control={control} label="Note" helperText="Why, or where you heard it" />
    </FormDialog>
  );
}
