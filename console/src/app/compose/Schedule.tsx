// Now or later, and later as often as wanted: every time sends the whole campaign once.
import AddOutlined from "@mui/icons-material/AddOutlined";
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Switch from "@mui/material/Switch";
import Typography from "@mui/material/Typography";
import { useController, useFormContext } from "react-hook-form";
import { DateInput } from "../../design/DateInput";
import { formatDateTime, viewerZone } from "../../design/dateTime";
import { type Audience, TIMES_MAX } from "./audience";

export function Schedule() {
  const { control } = useFormContext<Audience>();
  const later = useController({ name: "later", control });
  const times = useController({ name: "times", control });
  const { value } = times.field;
  const fault = times.fieldState.error?.message;
  const set = (at: number, time: string) =>
    times.field.onChange(value.map((it, place) => (place === at ? time : it)));

  return (
    <div>
      <FormControlLabel
        control={
          <Switch
            checked={later.field.value}
            onChange={(_, checked) => {
              later.field.onChange(checked);
              if (checked && value.length === 0) times.field.onChange([inAnHour()]);
            }}
          />
        }
        label="Send later"
      />
      {later.field.value && (
        <Stack sx={{ gap: 1.5, mt: 1 }}>
          {value.map((time, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: times are told apart by their place alone
            <Stack key={at} sx={{ flexDirection: "row", gap: 1, alignItems: "flex-start", maxWidth: 360 }}>
              <DateInput
                label={value.length === 1 ? "Send at" : `Send at (${at + 1})`}
                withTime
                fullWidth
                value={time}
                error={!!fault}
                helperText={at === 0 && fault}
                inputRef={at === 0 ? times.field.ref : undefined}
                onChange={(next) => set(at, next)}
                onText={(next) => set(at, next)}
              />
              {value.length > 1 && (
                <IconButton
                  aria-label={`Remove time ${at + 1}`}
                  onClick={() => times.field.onChange(value.filter((_, place) => place !== at))}
                >
                  <CloseOutlined fontSize="small" />
                </IconButton>
              )}
            </Stack>
          ))}
          <Button
            size="small"
            startIcon={<AddOutlined />}
            disabled={value.length >= TIMES_MAX}
            onClick={() => times.field.onChange([...value, ""])}
            sx={{ alignSelf: "flex-start" }}
          >
            Add another time
          </Button>
          <Typography variant="body2" color="textSecondary">
            Times are in {viewerZone().replaceAll("_", " ")}. Each of several sends the whole campaign again,
            at its full price.
          </Typography>
        </Stack>
      )}
    </div>
  );
}

/** The next full hour that is at least half an hour ahead. */
function inAnHour(): string {
  const ahead = Date.now() + 90 * 60_000;
  return formatDateTime(ahead).replace(/:\d\d$/, ":00");
}
