// Recordings that were uploaded before, each to be heard, chosen and deleted.
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import IconButton from "@mui/material/IconButton";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useId, useRef, useState } from "react";
import { useController, useFormContext } from "react-hook-form";
import { messageOf } from "../../../api/problem";
import { ConfirmDialog } from "../../../design/ConfirmDialog";
import { duration } from "../../../design/duration";
import { RecordingPlayer } from "../../../design/RecordingPlayer";
import { toast } from "../../../design/toasts";
import { DateTime } from "../../../design/values";
import { deleteRecording, type Recording, recordingsKey, recordingsQuery } from "./calls";
import type { VoiceDraft } from "./draft";

export function PastRecordings() {
  const { control, setValue } = useFormContext<VoiceDraft>();
  const { field, fieldState } = useController({ name: "audioUrl", control });
  const recordings = useQuery(recordingsQuery());
  const [unwanted, setUnwanted] = useState<Recording | null>(null);
  const list = useRef<HTMLElement>(null);
  const id = useId();
  if (recordings.isPending) return <Skeleton variant="rounded" height={96} />;
  if (!recordings.data) {
    return (
      <>
        <Typography role="alert" variant="body2" sx={{ mb: 1 }}>
          {messageOf(recordings.error)}
        </Typography>
        <Button size="small" variant="outlined" onClick={() => void recordings.refetch()}>
          Try again
        </Button>
      </>
    );
  }
  // One that was chosen yesterday may be gone.
  const chosen = recordings.data.some((it) => String(it.id) === field.value) ? field.value : "";
  return (
    <FormControl error={fieldState.invalid} fullWidth>
      {recordings.data.length === 0 ? (
        <>
          <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
            You have no recordings yet. An MP3 that you call with is kept, and found here the next time.
          </Typography>
          <Button
            size="small"
            variant="outlined"
            onClick={() => setValue("type", "voice")}
            sx={{ justifySelf: "start", alignSelf: "flex-start" }}
          >
            Upload an MP3
          </Button>
        </>
      ) : (
        <>
          <FormLabel id={id} sx={{ mb: 1 }}>
            Recording
          </FormLabel>
          <RadioGroup
            ref={list}
            tabIndex={-1}
            aria-labelledby={id}
            value={chosen}
            onChange={field.onChange}
            sx={{ maxHeight: 420, overflowY: "auto", flexWrap: "nowrap", gap: 1, outline: "none" }}
          >
            {recordings.data.map((recording, at) => (
              <Row
                key={recording.id}
                recording={recording}
                chosen={chosen === String(recording.id)}
                inputRef={at === 0 ? field.ref : undefined}
                onDelete={() => setUnwanted(recording)}
              />
            ))}
          </RadioGroup>
        </>
      )}
      {fieldState.error && <FormHelperText>{fieldState.error.message}</FormHelperText>}
      <DeleteRecording
        recording={unwanted}
        opener={list}
        onClose={() => setUnwanted(null)}
        onDeleted={(gone) => {
          if (String(gone.id) === field.value) field.onChange("");
        }}
      />
    </FormControl>
  );
}

interface DeleteProps {
  /** Null closes it. */
  recording: Recording | null;
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
  onDeleted: (recording: Recording) => void;
}

function DeleteRecording({ recording, opener, onClose, onDeleted }: DeleteProps) {
  const client = useQueryClient();
  // Kept while the dialog fades.
  const shown = useRef(recording);
  shown.current = recording ?? shown.current;
  const deleting = useMutation({
    mutationFn: (unwanted: Recording) => deleteRecording(unwanted.id),
    onSuccess: ({ message }, unwanted) => {
      toast.success(message);
      onDeleted(unwanted);
    },
    onError: (problem) => toast.error(messageOf(problem)),
    // Also after a refusal: it may be gone by now.
    onSettled: () => {
      onClose();
      void client.invalidateQueries({ queryKey: recordingsKey() });
    },
  });
  return (
    <ConfirmDialog
      open={recording !== null}
      danger
      title={`Delete ${shown.current?.name ?? "the recording"}?`}
      confirm="Delete recording"
      maxWidth="xs"
      busy={deleting.isPending}
      opener={opener}
      onConfirm={() => recording && deleting.mutate(recording)}
      onClose={onClose}
    >
      It can no longer be called with, and is not heard in your reports any more; their figures stay. This
      cannot be undone.
    </ConfirmDialog>
  );
}

interface RowProps {
  recording: Recording;
  chosen: boolean;
  inputRef?: React.Ref<HTMLInputElement>;
  onDelete: () => void;
}

function Row({ recording, chosen, inputRef, onDelete }: RowProps) {
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        p: 1,
        flexShrink: 0,
        border: 1,
        borderRadius: 1,
        borderColor: chosen ? "primary.main" : "divider",
        backgroundColor: chosen ? "primary.light" : undefined,
      }}
    >
      <FormControlLabel
        value={String(recording.id)}
        control={<Radio slotProps={{ input: { ref: inputRef } }} />}
        sx={{ m: 0, flex: "1 1 220px", minWidth: 0 }}
        label={
          <Box sx={{ overflowWrap: "anywhere" }}>
            <Typography component="span" sx={{ display: "block", fontWeight: 600 }}>
              {recording.name}
            </Typography>
            <Typography component="span" variant="body2" sx={{ display: "block" }}>
              {duration(Math.ceil(recording.length_ms / 1_000))}
              {recording.loudness === "quiet" && ", quiet"}, <DateTime value={recording.created_at} />
            </Typography>
          </Box>
        }
      />
      <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, flex: "0 1 300px", minWidth: 0 }}>
        <RecordingPlayer url={recording.audioFileUrl} name={recording.name} />
        <IconButton aria-label={`Delete ${recording.name}`} onClick={onDelete}>
          <DeleteOutlined fontSize="small" />
        </IconButton>
      </Box>
    </Box>
  );
}
