// A list's search box. What is typed is asked for after a pause, or at once by Enter.
import Close from "@mui/icons-material/Close";
import Search from "@mui/icons-material/Search";
import IconButton from "@mui/material/IconButton";
import InputAdornment from "@mui/material/InputAdornment";
import TextField from "@mui/material/TextField";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 350;

interface Props {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;

  // Another address, by the back button for one, brings its own text.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = window.setTimeout(() => search.current(text.trim()), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [text, value]);

  return (
    <SearchBox
      label={label}
      value={text}
      onChange={setText}
      onEnter={() => onSearch(text.trim())}
      onClear={() => onSearch("")}
    />
  );
}

interface BoxProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  onEnter?: () => void;
  onClear?: () => void;
}

/** What every list's search looks like. */
export function SearchBox({ label, value, onChange, onEnter, onClear }: BoxProps) {
  return (
    <TextField
      type="search"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onEnter?.();
      }}
      // What it searches is said in it, as wide as the longest text: a label in the frame would be cut where that is longer
      // than a narrow field.
      placeholder={label}
      sx={{
        maxWidth: { sm: 340 },
        "& input::-webkit-search-cancel-button": { display: "none" },
        "& input": { textOverflow: "ellipsis" },
        "& input::placeholder": { color: "text.secondary", opacity: 1 },
      }}
      slotProps={{
        htmlInput: { "aria-label": label },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <Search fontSize="small" aria-hidden />
            </InputAdornment>
          ),
          endAdornment: value && (
            <InputAdornment position="end">
              <IconButton
                size="small"
                edge="end"
                aria-label="Clear the search"
                onClick={() => {
                  onChange("");
                  onClear?.();
                }}
              >
                <Close fontSize="small" />
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
