// Recordings that were uploaded before, each to be heard and chosen.
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useController, useFormContext } from "react-hook-form";
import { messageOf } from "../../../api/problem";
import { duration } from "../../../design/duration";
import { RecordingPlayer } from "../../../design/RecordingPlayer";
import { DateTime } from "../../../design/values";
import { type Recording, recordingsQuery } from "./calls";
import type { VoiceDraft } from "./draft";

export function PastRecordings() {
  const { control, setValue } = useFormContext<VoiceDraft>();
  const { field, fieldState } = useController({ name: "audioUrl", control });
  const recordings = useQuery(recordingsQuery());
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
            aria-labelledby={id}
            value={chosen}
            onChange={field.onChange}
            sx={{ maxHeight: 420, overflowY: "auto", flexWrap: "nowrap", gap: 1 }}
          >
            {recordings.data.map((recording, at) => (
              <Row
                key={recording.id}
                recording={recording}
                chosen={chosen === String(recording.id)}
                inputRef={at === 0 ? field.ref : undefined}
              />
            ))}
          </RadioGroup>
        </>
      )}
      {fieldState.error && <FormHelperText>{fieldState.error.message}</FormHelperText>}
    </FormControl>
  );
}

function Row(props: { recording: Recording; chosen: boolean; inputRef?: React.Ref<HTMLInputElement> }) {
  const { recording, chosen, inputRef } = props;
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
      <Box sx={{ flex: "0 1 260px" }}>
        <RecordingPlayer url={recording.audioFileUrl} name={recording.name} />
      </Box>
    </Box>
  );
}
