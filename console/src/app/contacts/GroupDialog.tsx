import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask, freshKey } from "../../api/client";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { toast } from "../../design/toasts";
import { type Group, useInvalidatePhonebook } from "./phonebook";

const shape = z.object({
  group_name: z.string().trim().min(1, "Please provide a group name."),
  description: z.string(),
});
type Values = z.infer<typeof shape>;

interface Props {
  /** The group to edit; a new one without. */
  group?: Group;
  onClose: () => void;
  onDone?: (group: Group) => void;
}

export function GroupDialog({ group, onClose, onDone }: Props) {
  const changed = useInvalidatePhonebook();
  const [key] = useState(freshKey);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: { group_name: group?.group_name ?? "", description: group?.description ?? "" },
  });
  const saving = useMutation({
    mutationFn: (body: Values) =>
      group
        ? ask(api.PUT("/api/update/group/{id}", { params: { path: { id: group.id } }, body }))
        : ask(api.POST("/api/create/group", { body, headers: { "Idempotency-Key": key } })),
    onSuccess: async (answer) => {
      toast.success(group ? "Group Edit" : "Group Created");
      await changed();
      onClose();
      onDone?.(answer.group);
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["group_name", "description"])),
  });

  return (
    <FormDialog
      title={group ? "Edit group" : "New group"}
      submit={group ? "Save" : "Create group"}
      busy={saving.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        saving.mutate(values);
      })}
    >
      <FormField
        name="group_name"
        control={control}
        label="Group name"
        slotProps={{ htmlInput: { maxLength: 100 } }}
      />
      <FormField
        name="description"
        control={control}
        label="Description"
        helperText="What the group is for, if that is worth a note"
        multiline
        minRows={2}
        slotProps={{ htmlInput: { maxLength: 500 } }}
      />
    </FormDialog>
  );
}
