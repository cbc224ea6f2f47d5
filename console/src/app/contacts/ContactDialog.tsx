// A contact of a group, with whatever merge fields the group has and new ones.

import { zodResolver } from "@hookform/resolvers/zod";
import Add from "@mui/icons-material/Add";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useFieldArray, useForm } from "react-hook-form";
import { api, ask, freshKey } from "../../api/client";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { toast } from "../../design/toasts";
import { bodyOf, type ContactValues, contactShape, valuesOf } from "./contactForm";
import { type Contact, type Group, useInvalidatePhonebook } from "./phonebook";

interface Props {
  group: Group;
  /** The contact to edit; a new one without. */
  contact?: Contact;
  onClose: () => void;
}

export function ContactDialog({ group, contact, onClose }: Props) {
  const changed = useInvalidatePhonebook();
  const [key] = useState(freshKey);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<ContactValues>({
    resolver: zodResolver(contactShape),
    defaultValues: valuesOf(contact, group.columns),
  });
  const { fields, append, remove } = useFieldArray({ control, name: "fields" });

  const saving = useMutation({
    mutationFn: (values: ContactValues) => {
      const body = bodyOf(values, contact);
      return contact
        ? ask(api.PUT("/api/update/contact/{id}", { params: { path: { id: contact.id } }, body }))
        : ask(
            api.POST("/api/create/contact/group/{id}", {
              params: { path: { id: group.id } },
              body,
              headers: { "Idempotency-Key": key },
            }),
          );
    },
    onSuccess: async ({ message }) => {
      toast.success(message);
      await changed();
      onClose();
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["phone", "name", "email"])),
  });

  return (
    <FormDialog
      title={contact ? "Edit contact" : "New contact"}
      submit={contact ? "Save" : "Add contact"}
      busy={saving.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        saving.mutate(values);
      })}
    >
      <FormField
        name="phone"
        control={control}
        label="Phone number"
        type="tel"
        autoComplete="off"
        helperText="As 0803 123 4567, or with a country code for other countries"
      />
      <FormField name="name" control={control} label="Name" autoComplete="off" />
      <FormField name="email" control={control} label="Email" type="email" autoComplete="off" />
      <Stack component="fieldset" sx={{ border: 0, p: 0, m: 0, gap: 1.5 }}>
        <Typography component="legend" sx={{ fontWeight: 600, mb: 1 }}>
          Merge fields
        </Typography>
        <Typography variant="body2" color="textSecondary">
          A message says {"{city}"} where it wants this contact's city.
        </Typography>
        {fields.map((field, at) => (
          <Stack key={field.id} direction="row" sx={{ gap: 1, alignItems: "flex-start" }}>
            <FormField
              name={`fields.${at}.name`}
              control={control}
              label={`Field ${at + 1}`}
              sx={{ flex: 2 }}
            />
            <FormField
              name={`fields.${at}.value`}
              control={control}
              label={`Value ${at + 1}`}
              sx={{ flex: 3 }}
            />
            <IconButton aria-label={`Remove field ${at + 1}`} onClick={() => remove(at)}>
              <DeleteOutlined />
            </IconButton>
          </Stack>
        ))}
        <Button
          startIcon={<Add />}
          onClick={() => append({ name: "", value: "" })}
          sx={{ alignSelf: "flex-start" }}
          disabled={fields.length >= 60}
        >
          Add a field
        </Button>
      </Stack>
    </FormDialog>
  );
}
