import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { z } from "zod";
import { api, ask, freshKey } from "../../api/client";
import type { components } from "../../api/schema";
import { Checklist } from "../../design/Checklist";
import { FormDialog } from "../../design/FormDialog";
import { FormField, placeProblem } from "../../design/form";
import { toast } from "../../design/toasts";
import { EVENTS, useInvalidateWebhooks, type Webhook } from "./webhooks";

type WebhookWithSecret = components["schemas"]["WebhookWithSecret"];
type ChangedWebhook = components["schemas"]["ChangedWebhook"];

const shape = z.object({
  url: z.string().trim().min(1, "URL is required"),
  description: z.string(),
  events: z.array(z.string()).min(1, "Choose one event at least"),
});
type Values = z.infer<typeof shape>;

interface Props {
  /** The webhook to edit; a new one without. */
  webhook?: Webhook;
  onClose: () => void;
  onMade?: (secret: string, webhook: Webhook) => void;
}

export function WebhookDialog({ webhook, onClose, onMade }: Props) {
  const changed = useInvalidateWebhooks();
  const [key] = useState(freshKey);
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, setError, formState } = useForm<Values>({
    resolver: zodResolver(shape),
    defaultValues: {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      events: webhook?.events ?? EVENTS.map(([name]) => name),
    },
  });
  const { field: events, fieldState } = useController({ name: "events", control });
  const eventsChanged = formState.dirtyFields.events !== undefined;
  const saving = useMutation({
    mutationFn: (body: Values): Promise<WebhookWithSecret | ChangedWebhook> => {
      if (!webhook) return ask(api.POST("/api/webhooks", { body, headers: { "Idempotency-Key": key } }));
      // Events that are left alone are not sent: there may be some of a newer version among them, which are not shown here.
      const { events, ...rest } = body;
      const edit = eventsChanged ? { events, ...rest } : rest;
      return ask(api.PUT("/api/webhooks/{id}", { params: { path: { id: webhook.id } }, body: edit }));
    },
    onSuccess: async (answer) => {
      onClose();
      if ("secret" in answer) onMade?.(answer.secret, answer.webhook);
      else toast.success("The webhook is changed");
      await changed();
    },
    onError: (problem) => setRefused(placeProblem(problem, setError, ["url", "description", "events"])),
  });
  return (
    <FormDialog
      title={webhook ? "Edit webhook" : "New webhook"}
      submit={webhook ? "Save" : "Add webhook"}
      busy={saving.isPending}
      problem={refused}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        setRefused(null);
        saving.mutate(values);
      })}
    >
      <FormField
        name="url"
        control={control}
        label="URL"
        type="url"
        helperText="https://..., reached over the Internet"
        autoComplete="off"
      />
      <FormField
        name="description"
        control={control}
        label="Description"
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      <Checklist
        label="Events"
        options={EVENTS}
        value={events.value}
        onChange={events.onChange}
        problem={fieldState.error?.message}
      />
    </FormDialog>
  );
}
