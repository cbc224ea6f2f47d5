// What calls say: a text and its voice, an MP3, or a recording that was kept.
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { Choice } from "../../../design/Choice";
import { counted } from "../../../design/count";
import { FileDrop } from "../../../design/FileDrop";
import { FormField } from "../../../design/form";
import { toast } from "../../../design/toasts";
import { VOICES } from "../../../design/voices";
import { KindButtons } from "../KindButtons";
import { Templates } from "../Templates";
import { CallMe } from "./CallMe";
import { type CallType, isMp3, NO_MP3, type VoiceDraft } from "./draft";
import { ListenToFile, ListenToText } from "./Listen";
import { PastRecordings } from "./PastRecordings";

const TYPES: readonly { kind: CallType; label: string; text: string }[] = [
  { kind: "TTS", label: "Text to speech", text: "Write it, and it is spoken to everyone who answers." },
  { kind: "voice", label: "Upload an MP3", text: "Your own voice or jingle. It is kept for the next time." },
  { kind: "past", label: "Past recording", text: "One that you uploaded before." },
];

export function Script() {
  const { control, clearErrors } = useFormContext<VoiceDraft>();
  const { field } = useController({ name: "type", control });
  return (
    <>
      <KindButtons
        label="Voice type"
        kinds={TYPES}
        value={field.value}
        onChange={(type) => {
          clearErrors(["ttsMsg", "audioFile", "audioUrl"]);
          field.onChange(type);
        }}
      />
      {field.value === "TTS" && <Speech />}
      {field.value === "voice" && <Upload />}
      {field.value === "past" && <PastRecordings />}
      <CallMe />
    </>
  );
}

function Speech() {
  const { control } = useFormContext<VoiceDraft>();
  const voice = useController({ name: "ttsVoice", control });
  const said = useWatch({ control, name: "ttsMsg" });
  const { setValue } = useFormContext<VoiceDraft>();
  const use = (text: string) => {
    setValue("ttsMsg", said.trim() ? `${said.trimEnd()}\n${text}` : text, { shouldDirty: true });
  };
  const counter = useId();
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <div>
        <Templates text={said} onUse={use} />
        <FormField
          name="ttsMsg"
          control={control}
          label="Voice Message"
          multiline
          minRows={4}
          maxRows={14}
          slotProps={{ htmlInput: { "aria-describedby": counter } }}
        />
        <Typography id={counter} variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
          {counted([...said].length, "character")}. Amounts, dates and numbers are said in words.
        </Typography>
      </div>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
        <Choice
          label="Voice"
          value={voice.field.value}
          options={VOICES.map(({ code, name }) => [code, name] as const)}
          onChange={voice.field.onChange}
          error={voice.fieldState.invalid}
          helperText={voice.fieldState.error?.message}
          sx={{ width: { xs: "100%", sm: 220 } }}
        />
        <ListenToText />
      </Box>
    </Box>
  );
}

function Upload() {
  const { control, setError, clearErrors } = useFormContext<VoiceDraft>();
  const { field, fieldState } = useController({ name: "audioFile", control });
  const choose = (file: File) => {
    if (isMp3(file)) {
      clearErrors("audioFile");
      field.onChange(file);
      return;
    }
    field.onChange(null);
    setError("audioFile", { message: NO_MP3 });
    toast.error(NO_MP3);
  };
  return (
    <Box sx={{ display: "grid", gap: 2, justifyItems: "start", "& > :first-of-type": { width: "100%" } }}>
      <FileDrop
        label="Drop an MP3 here, or choose one"
        about="Loud and clear is best: a telephone carries no low tones"
        accept=".mp3,audio/mpeg"
        file={field.value}
        problem={fieldState.error?.message}
        inputRef={field.ref}
        onFile={choose}
      />
      {field.value && <ListenToFile key={field.value.name + field.value.lastModified} file={field.value} />}
    </Box>
  );
}
