// What is said: the kind of message and its fields, the counter, and what the encoding does to the price.

import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useId, useRef } from "react";
import { useController, useFormContext } from "react-hook-form";
import { FormField } from "../../design/form";
import { Counter } from "./Counter";
import type { Kind, Measured, Sent } from "./content/measure";
import { CARD_FIELDS, type Draft } from "./draft";
import { EncodingNotes } from "./EncodingNotes";
import { KindButtons } from "./KindButtons";
import { Templates } from "./Templates";

export const KINDS: readonly { kind: Kind; label: string; text: string }[] = [
  { kind: "text", label: "Text", text: "Plain letters, 156 characters a page: the cheapest way." },
  {
    kind: "flash",
    label: "Flash",
    text: "Shown at once on the screen and not kept, unless the person saves it.",
  },
  { kind: "wap-push", label: "WAP push", text: "A title and a link that opens with one tap." },
  { kind: "vcard", label: "vCard", text: "A business card for the phone's contacts." },
  { kind: "unicode", label: "Unicode", text: "Any script and emoji, 70 characters on a single page." },
];

interface Props {
  kind: Kind;
  measured: Measured;
  /** Of text, flash and unicode, for the recipient in the preview. */
  sent: Sent | null;
  /** Columns of the recipients. */
  columns: readonly string[];
  varies: boolean;
  priceOf: (pages: number) => string | null;
  /** Whom the price is of. */
  each: string;
}

export function Message({ kind, measured, sent, columns, varies, priceOf, each }: Props) {
  const { control, setValue } = useFormContext<Draft>();
  const counter = useId();
  const change = (name: "kind" | "message", value: string) => {
    setValue(name, value as Kind, { shouldDirty: true });
  };
  return (
    <>
      <KindButtons label="SMS type" kinds={KINDS} value={kind} onChange={(next) => change("kind", next)} />
      {sent && <MessageBox counter={counter} columns={columns} />}
      {kind === "wap-push" && (
        <Stack sx={{ gap: 2 }}>
          <FormField name="wap_title" control={control} label="WAP title" />
          <FormField
            name="wap_url"
            control={control}
            label="WAP URL"
            type="url"
            placeholder="https://www.example.com/offer"
          />
        </Stack>
      )}
      {kind === "vcard" && (
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
          {CARD_FIELDS.map(({ name, label }) => (
            <FormField key={name} name={name} control={control} label={label} autoComplete="off" />
          ))}
        </Box>
      )}
      <Counter id={counter} measured={measured} price={priceOf(measured.pages)} each={each} varies={varies} />
      {sent && <MessageNotes kind={kind} sent={sent} priceOf={priceOf} onChange={change} />}
    </>
  );
}

function MessageNotes(props: {
  kind: Kind;
  sent: Sent;
  priceOf: Props["priceOf"];
  onChange: (name: "kind" | "message", value: string) => void;
}) {
  const { watch } = useFormContext<Draft>();
  return (
    <EncodingNotes
      kind={props.kind}
      message={watch("message")}
      sent={props.sent}
      priceOf={props.priceOf}
      onKind={(kind) => props.onChange("kind", kind)}
      onMessage={(message) => props.onChange("message", message)}
    />
  );
}

function MessageBox({ counter, columns }: { counter: string; columns: readonly string[] }) {
  const { control } = useFormContext<Draft>();
  const { field, fieldState } = useController({ name: "message", control });
  const box = useRef<HTMLTextAreaElement | null>(null);
  const put = (written: string) => {
    const [from, to] = [box.current?.selectionStart ?? 0, box.current?.selectionEnd ?? 0];
    field.onChange(field.value.slice(0, from) + written + field.value.slice(to));
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(from + written.length, from + written.length);
    });
  };
  return (
    <>
      {/* In place of nothing or of what is marked, else where the cursor is. */}
      <Templates text={field.value} onUse={put} />
      <TextField
        label="Message"
        multiline
        minRows={5}
        maxRows={14}
        name={field.name}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={(element: HTMLTextAreaElement | null) => {
          box.current = element;
          field.ref(element);
        }}
        error={fieldState.invalid}
        helperText={fieldState.error?.message}
        slotProps={{ htmlInput: { "aria-describedby": counter } }}
      />
      {columns.length > 0 && (
        <Box
          role="group"
          aria-label="Merge fields"
          sx={{ mt: 1, display: "flex", flexWrap: "wrap", alignItems: "center", gap: 0.75 }}
        >
          <Typography variant="body2" color="textSecondary">
            Insert:
          </Typography>
          {columns.map((column) => (
            <Button
              key={column}
              size="small"
              variant="outlined"
              aria-label={`Insert ${column}`}
              onClick={() => put(`{${column}}`)}
              sx={{ minHeight: 30, px: 1, py: 0 }}
            >
              {`{${column}}`}
            </Button>
          ))}
          <Typography variant="body2" color="textSecondary">
            {`{${columns[0]}|friend} uses "friend" where it is empty.`}
          </Typography>
        </Box>
      )}
    </>
  );
}
