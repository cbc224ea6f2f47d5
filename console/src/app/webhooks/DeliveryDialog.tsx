// One delivery with the body that was sent.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { api, ask } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ErrorState } from "../../design/states";
import { toast } from "../../design/toasts";
import { MONO } from "../../design/tokens";
import { DateTime, StatusChip } from "../../design/values";
import { answerOf, type Delivery, deliveryQuery, useInvalidateWebhooks, type Webhook } from "./webhooks";

interface Props {
  webhook: Webhook;
  delivery: Delivery;
  onClose: () => void;
}

export function DeliveryDialog({ webhook, delivery, onClose }: Props) {
  const id = useId();
  const changed = useInvalidateWebhooks();
  const result = useQuery(deliveryQuery(webhook.id, delivery.id));
  const again = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/api/webhooks/{id}/deliveries/{delivery}/redeliver", {
          params: { path: { id: webhook.id, delivery: delivery.id } },
        }),
      ),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await changed();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const it = result.data?.delivery ?? delivery;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: "anywhere" }}>
        {it.type}
      </DialogTitle>
      <DialogContent tabIndex={0}>
        <Stack sx={{ gap: 1.5 }}>
          <Stack direction="row" sx={{ gap: 1.5, alignItems: "center", flexWrap: "wrap" }}>
            <StatusChip status={it.status} />
            <Typography sx={{ overflowWrap: "anywhere" }}>{answerOf(it)}</Typography>
          </Stack>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
            {it.event_id}, {it.attempts} {it.attempts === 1 ? "attempt" : "attempts"}
            {it.tried_at && (
              <>
                , last <DateTime value={it.tried_at} />
              </>
            )}
            {it.next_attempt_at && (
              <>
                , next <DateTime value={it.next_attempt_at} />
              </>
            )}
          </Typography>
          {result.isError && !result.data && (
            <ErrorState error={result.error} onRetry={() => void result.refetch()} />
          )}
          {result.isPending && <Skeleton variant="rounded" height={120} aria-label="Loading" />}
          {result.data && (
            <Box
              component="pre"
              tabIndex={0}
              role="region"
              aria-label="Body that was sent"
              sx={{
                m: 0,
                p: 2,
                fontFamily: MONO,
                fontSize: "0.8125rem",
                overflow: "auto",
                maxHeight: 360,
                bgcolor: "background.default",
                border: 1,
                borderColor: "divider",
                borderRadius: 1,
              }}
            >
              {JSON.stringify(result.data.body, null, 2)}
            </Box>
          )}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button loading={again.isPending} onClick={() => again.mutate()}>
          Deliver again
        </Button>
        <Button variant="contained" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
