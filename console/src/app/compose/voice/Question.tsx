// A question that the person called answers by a key: the keys with what they stand for, and how often it is played.
import AddOutlined from "@mui/icons-material/AddOutlined";
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useController, useFormContext } from "react-hook-form";
import { Choice } from "../../../design/Choice";
import { KEYS, KEYS_MAX, LABEL_MAX, type VoiceDraft } from "./draft";

const FIRST = [
  { key: "1", label: "Yes" },
  { key: "2", label: "No" },
];

const PLAYS = [
  ["1", "Once"],
  ["2", "Up to 2 times"],
  ["3", "Up to 3 times"],
] as const;

export function Question() {
  const { control, clearErrors } = useFormContext<VoiceDraft>();
  const asks = useController({ name: "asks", control });
  const digits = useController({ name: "digits", control });
  const { value, onChange } = digits.field;
  return (
    <div>
      <FormControlLabel
        control={
          <Switch
            checked={asks.field.value}
            onChange={(_, checked) => {
              asks.field.onChange(checked);
              clearErrors(["digits", "plays"]);
              if (checked && value.length === 0) onChange(FIRST);
            }}
          />
        }
        label="Ask a question"
      />
      {asks.field.value && (
        <Stack sx={{ gap: 1.5, mt: 1 }}>
          <Rows
            value={value}
            onChange={onChange}
            fault={digits.fieldState.error?.message}
            first={digits.field.ref}
          />
          <Plays />
          <Typography variant="body2" color="textSecondary">
            Say in the message what to press, such as “Press 1 for yes, 2 for no”. A key that is pressed ends
            the call. Pressing 9 always opts out: say so.
          </Typography>
        </Stack>
      )}
    </div>
  );
}

interface RowsProps {
  value: VoiceDraft["digits"];
  onChange: (value: VoiceDraft["digits"]) => void;
  fault: string | undefined;
  first: (element: HTMLElement | null) => void;
}

function Rows({ value, onChange, fault, first }: RowsProps) {
  const set = (at: number, changed: Partial<VoiceDraft["digits"][number]>) =>
    onChange(value.map((it, place) => (place === at ? { ...it, ...changed } : it)));
  const free = KEYS.find((key) => !value.some((it) => it.key === key));
  return (
    <>
      {value.map(({ key, label }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be chosen again, and stands twice meanwhile
        <Stack key={at} sx={{ flexDirection: "row", gap: 1, alignItems: "flex-start", maxWidth: 420 }}>
          <Choice
            label="Key"
            value={key}
            options={KEYS.map((it) => [it, it] as const)}
            onChange={(next) => set(at, { key: next })}
            error={!!fault}
            sx={{ width: 84, flexShrink: 0 }}
          />
          <TextField
            label={`Key ${key} stands for`}
            value={label}
            onChange={(event) => set(at, { label: event.target.value })}
            error={!!fault}
            inputRef={at === 0 ? first : undefined}
            fullWidth
            slotProps={{ htmlInput: { maxLength: LABEL_MAX } }}
          />
          <IconButton
            aria-label={`Remove key ${key}`}
            onClick={() => onChange(value.filter((_, place) => place !== at))}
          >
            <CloseOutlined fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      {fault && <FormHelperText error>{fault}</FormHelperText>}
      <Button
        size="small"
        startIcon={<AddOutlined />}
        disabled={value.length >= KEYS_MAX || !free}
        onClick={() => free && onChange([...value, { key: free, label: "" }])}
        sx={{ alignSelf: "flex-start" }}
      >
        Add a key
      </Button>
    </>
  );
}

function Plays() {
  const { control } = useFormContext<VoiceDraft>();
  const { field, fieldState } = useController({ name: "plays", control });
  return (
    <Choice
      label="Play the question"
      value={field.value}
      options={PLAYS}
      onChange={field.onChange}
      inputRef={field.ref}
      error={fieldState.invalid}
      helperText={fieldState.error?.message ?? "It is played again while no key is pressed."}
      sx={{ maxWidth: 260 }}
    />
  );
}
