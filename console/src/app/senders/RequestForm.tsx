// Several sender ids, asked for at once.
import { zodResolver } from "@hookform/resolvers/zod";
import Add from "@mui/icons-material/Add";
import Close from "@mui/icons-material/Close";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useFieldArray, useForm } from "react-hook-form";
import { api, ask } from "../../api/client";
import { ApiProblem, messageOf } from "../../api/problem";
import { own } from "../../api/queries";
import { FormField } from "../../design/form";
import { FormAlert } from "../../design/states";
import { MOST_AT_ONCE, type Request, requestShape, senderIdsOf } from "./senderIds";

const EMPTY: Request = { sender_ids: [{ text: "" }] };

export function RequestForm({ onReceived }: { onReceived: (message: string | null) => void }) {
  const client = useQueryClient();
  const [refused, setRefused] = useState<string | null>(null);
  const { control, handleSubmit, reset } = useForm<Request>({
    resolver: zodResolver(requestShape),
    defaultValues: EMPTY,
  });
  const { fields, append, remove } = useFieldArray({ control, name: "sender_ids" });
  const asking = useMutation({
    mutationFn: (request: Request) =>
      ask(api.POST("/api/request-senderid", { body: { sender_ids: senderIdsOf(request) } })),
    onSuccess: async ({ message }) => {
      reset(EMPTY);
      onReceived(message);
      await client.invalidateQueries({ queryKey: own("senders") });
    },
    // All or none: the daemon names the one at fault.
    onError: (problem) =>
      setRefused((problem instanceof ApiProblem && problem.field("sender_ids")) || messageOf(problem)),
  });

  return (
    <Card sx={{ p: { xs: 2, sm: 3 }, mb: 2.5 }}>
      <form
        noValidate
        aria-label="Request sender IDs"
        onSubmit={handleSubmit((request) => {
          setRefused(null);
          onReceived(null);
          asking.mutate(request);
        })}
      >
        <FormAlert text={refused} />
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: "repeat(auto-fill, minmax(250px, 1fr))",
            mb: 2,
          }}
        >
          {fields.map((field, at) => (
            <Stack key={field.id} direction="row" sx={{ gap: 0.5, alignItems: "flex-start" }}>
              <FormField
                name={`sender_ids.${at}.text`}
                control={control}
                label={fields.length === 1 ? "Sender ID" : `Sender ID ${at + 1}`}
                helperText={at === 0 ? "At most 11 characters, spaces included, or 14 digits" : undefined}
                autoComplete="off"
              />
              {fields.length > 1 && (
                <IconButton aria-label={`Remove sender ID ${at + 1}`} onClick={() => remove(at)}>
                  <Close />
                </IconButton>
              )}
            </Stack>
          ))}
        </Box>
        <Stack direction="row" sx={{ gap: 1, flexWrap: "wrap" }}>
          <Button type="submit" variant="contained" loading={asking.isPending}>
            Send request
          </Button>
          <Button
            startIcon={<Add />}
            disabled={fields.length >= MOST_AT_ONCE}
            onClick={() => append({ text: "" })}
          >
            Add another
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
