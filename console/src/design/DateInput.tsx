// A day, or a day with its time, written as it is shown everywhere: `YYYY-MM-DD` or `YYYY-MM-DD HH:mm`. A browser's own
// field would show it in the order of the browser's language, which may put the month first; its calendar is offered beside.
import CalendarMonthOutlined from "@mui/icons-material/CalendarMonthOutlined";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import { useEffect, useRef, useState } from "react";
import { readDay, readMinute } from "./dateTime";

interface Props extends Pick<TextFieldProps, "error" | "helperText" | "inputRef" | "sx" | "fullWidth"> {
  label: string;
  /** In the one form that it is shown in; empty for none. */
  value: string;
  withTime?: boolean;
  /** The first and the last day of the calendar. */
  min?: string;
  max?: string;
  /** Hears a whole date, or an empty text. */
  onChange: (value: string) => void;
  /** Hears also what is no date, or not one yet: for forms that refuse it themselves. */
  onText?: (text: string) => void;
}

export function DateInput(props: Props) {
  const { label, value, withTime = false, min, max, onChange, onText, error, helperText, ...rest } = props;
  const [text, setText] = useState(value);
  const [left, setLeft] = useState(false);
  const calendar = useRef<HTMLInputElement>(null);
  const read = withTime ? readMinute : readDay;
  const form = withTime ? "YYYY-MM-DD HH:mm" : "YYYY-MM-DD";
  // What comes from elsewhere, such as a button that clears it, wins; what is being written is left alone.
  const given = useRef(value);
  useEffect(() => {
    if (value === given.current) return;
    given.current = value;
    setText(value);
  }, [value]);

  const say = (next: string) => {
    setText(next);
    const whole = next.trim() === "" ? "" : read(next);
    if (whole !== null) {
      given.current = whole;
      onChange(whole);
    } else if (onText) {
      given.current = next;
      onText(next);
    }
  };
  const wrong = left && text.trim() !== "" && read(text) === null;

  return (
    <TextField
      {...rest}
      label={label}
      value={text}
      placeholder={form}
      error={error || wrong}
      helperText={wrong ? `Write it as ${form}` : helperText}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        const whole = read(text);
        if (whole) setText(whole);
      }}
      onChange={(event) => say(event.target.value)}
      slotProps={{
        inputLabel: { shrink: true },
        htmlInput: { autoComplete: "off", maxLength: 20, style: { fontVariantNumeric: "tabular-nums" } },
        input: {
          endAdornment: (
            <InputAdornment position="end" sx={{ position: "relative" }}>
              <IconButton
                edge="end"
                size="small"
                aria-label="Open the calendar"
                onClick={() => calendar.current?.showPicker()}
              >
                <CalendarMonthOutlined fontSize="small" />
              </IconButton>
              {/* For its calendar alone: neither seen, nor reached, nor read. */}
              <input
                ref={calendar}
                type={withTime ? "datetime-local" : "date"}
                tabIndex={-1}
                aria-hidden="true"
                value={(read(text) ?? "").replace(" ", "T")}
                min={min}
                max={max}
                onChange={(event) => say(event.target.value.replace("T", " "))}
                style={{
                  position: "absolute",
                  right: 0,
                  bottom: 0,
                  width: 1,
                  height: 1,
                  opacity: 0,
                  border: 0,
                }}
              />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
