// One webhook: on or off, a trial, its secret, and the log of what it was told.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { api, ask } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { formatDateTime } from "../../design/dateTime";
import { PageHeader } from "../../design/PageHeader";
import { Reauthentication } from "../../design/Reauthentication";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { toast } from "../../design/toasts";
import { Log } from "./Log";
import { SigningSecret } from "./SigningSecret";
import { WebhookDialog } from "./WebhookDialog";
import { useInvalidateWebhooks, type Webhook, webhookQuery, webhooksKey } from "./webhooks";

export default function WebhookPage() {
  const id = Number(useParams().id);
  const result = useQuery({ ...webhookQuery(id), enabled: Number.isInteger(id) });
  if (!Number.isInteger(id) || (result.error instanceof ApiProblem && result.error.status === 404)) {
    return (
      <>
        <PageHeader title="No such webhook" />
        <EmptyState
          title="There is no such webhook"
          text="It may have been deleted."
          action={{ label: "Show all webhooks", to: "/dashboard/webhooks" }}
        />
      </>
    );
  }
  if (result.data) return <WebhookView webhook={result.data} />;
  return result.isError ? (
    <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  ) : (
    <PageSkeleton />
  );
}

type PendingAction = "edit" | "rotate" | "delete";

function WebhookView({ webhook }: { webhook: Webhook }) {
  const path = { id: webhook.id };
  const navigate = useNavigate();
  const client = useQueryClient();
  const changed = useInvalidateWebhooks();
  const [asked, setAsked] = useState<PendingAction | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const failed = (problem: unknown) => toast.error(messageOf(problem));
  const close = () => setAsked(null);

  const turning = useMutation({
    mutationFn: () =>
      ask(api.PUT("/api/webhooks/{id}", { params: { path }, body: { is_active: !webhook.is_active } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await changed();
    },
    onError: failed,
  });
  const testing = useMutation({
    mutationFn: () => ask(api.POST("/api/webhooks/{id}/test", { params: { path } })),
    onSuccess: async () => {
      toast.info("The test event is being sent: the log shows its delivery");
      await changed();
    },
    onError: failed,
  });
  const rotating = useMutation({
    mutationFn: () => ask(api.POST("/api/webhooks/{id}/rotate", { params: { path } })),
    onSuccess: async (answer) => {
      close();
      setSecret(answer.secret);
      await changed();
    },
    onError: failed,
  });
  const deleting = useMutation({
    mutationFn: () => ask(api.DELETE("/api/webhooks/{id}", { params: { path } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      navigate("/dashboard/webhooks");
      // Of the webhook itself nothing can be asked any more.
      await client.invalidateQueries({ queryKey: webhooksKey("list") });
    },
    onError: failed,
  });

  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/webhooks", label: "Webhooks" }}
        title={webhook.description || `Webhook ${webhook.id}`}
        text={
          <Box component="span" sx={{ overflowWrap: "anywhere" }}>
            {webhook.url}
          </Box>
        }
        actions={
          <>
            <Button variant="outlined" onClick={() => setAsked("edit")}>
              Edit
            </Button>
            <Button variant="outlined" loading={turning.isPending} onClick={() => turning.mutate()}>
              {webhook.is_active ? "Turn off" : "Turn on"}
            </Button>
            <Button variant="outlined" onClick={() => setAsked("rotate")}>
              New secret
            </Button>
            <Button variant="outlined" color="error" onClick={() => setAsked("delete")}>
              Delete
            </Button>
            <Button
              variant="contained"
              loading={testing.isPending}
              disabled={!webhook.is_active}
              onClick={() => testing.mutate()}
            >
              Send test event
            </Button>
          </>
        }
      />
      {!webhook.is_active && (
        <Alert severity="warning" variant="outlined" sx={{ mb: 2.5 }}>
          This webhook is off and gets no events. {webhook.inactive_reason ?? ""}
        </Alert>
      )}
      {webhook.is_active && webhook.failing_since && (
        <Alert severity="error" variant="outlined" sx={{ mb: 2.5 }}>
          Every attempt has failed since {formatDateTime(webhook.failing_since)}. The log says why.
        </Alert>
      )}
      <Typography color="textSecondary" sx={{ mb: 2.5, overflowWrap: "anywhere" }}>
        Events: {webhook.events.join(", ")}.
      </Typography>
      <Log webhook={webhook} />
      {asked === "edit" && <WebhookDialog webhook={webhook} onClose={close} />}
      {secret && <SigningSecret secret={secret} onClose={() => setSecret(null)} />}
      <ConfirmDialog
        open={asked === "rotate"}
        title="Make a new secret?"
        confirm="Make a new secret"
        busy={rotating.isPending}
        onConfirm={() => rotating.mutate()}
        onClose={close}
      >
        For 24 hours requests are signed with both, so that you can change it without missing one.
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === "delete"}
        danger
        title="Delete this webhook?"
        confirm="Delete webhook"
        busy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
        onClose={close}
      >
        Its log goes with it
        {webhook.pending > 0 ? `, and ${webhook.pending.toLocaleString("en")} events are not told` : ""}. This
        cannot be undone.
      </ConfirmDialog>
      <Reauthentication />
    </>
  );
}
