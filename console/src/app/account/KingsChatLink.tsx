// A KingsChat account by which one can sign in, beside the password.
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { ChatError, type ChatOptions, linkKingsChat } from "../../api/kingschat";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { toast } from "../../design/toasts";
import { DateTime } from "../../design/values";
import { accountKey, chatLinkQuery } from "./account";

export function KingsChatLink() {
  const client = useQueryClient();
  const result = useQuery(chatLinkQuery());
  const [leaving, setLeaving] = useState(false);
  const changed = () => client.invalidateQueries({ queryKey: accountKey("kingschat") });
  const said = (problem: unknown) =>
    toast.error(problem instanceof ChatError ? problem.message : messageOf(problem));

  const linking = useMutation({
    mutationFn: (options: ChatOptions) => linkKingsChat(options),
    onSuccess: async (message) => {
      toast.success(message);
      await changed();
    },
    onError: said,
  });
  const unlinking = useMutation({
    mutationFn: () => ask(api.DELETE("/api/kingschat/link")),
    onSuccess: async ({ message }) => {
      toast.success(message);
      setLeaving(false);
      await changed();
    },
    onError: said,
  });

  // Where the platform does not offer it and nothing is linked, there is nothing to say.
  if (!result.data || !(result.data.options.enabled || result.data.link.linked)) return null;
  const { link, options } = result.data;
  return (
    <Card component="section" aria-labelledby="kingschat" sx={{ p: { xs: 2, sm: 3 } }}>
      <Stack direction="row" sx={{ gap: 2, flexWrap: "wrap", alignItems: "center" }}>
        <Stack sx={{ flex: "1 1 260px" }}>
          <Typography id="kingschat" variant="h2" sx={{ mb: 0.5 }}>
            KingsChat
          </Typography>
          <Typography color="textSecondary">
            {link.linked ? (
              <>
                Linked to <strong>{link.username ?? "your account there"}</strong> since{" "}
                <DateTime value={link.linked_at} />. You can log in by it.
              </>
            ) : (
              "Link your KingsChat account to log in by it."
            )}
          </Typography>
        </Stack>
        {link.linked ? (
          <Button variant="outlined" color="error" onClick={() => setLeaving(true)}>
            End the link
          </Button>
        ) : (
          <Button variant="outlined" loading={linking.isPending} onClick={() => linking.mutate(options)}>
            Link KingsChat
          </Button>
        )}
      </Stack>
      <ConfirmDialog
        open={leaving}
        danger
        title="End the link to KingsChat?"
        confirm="End the link"
        busy={unlinking.isPending}
        onConfirm={() => unlinking.mutate()}
        onClose={() => setLeaving(false)}
      >
        From then on you log in by your email and password only.
      </ConfirmDialog>
    </Card>
  );
}
