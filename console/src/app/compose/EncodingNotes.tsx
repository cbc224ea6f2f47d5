// What the characters of a message do to its encoding, and so to its price: what is replaced, what a text cannot carry,
// what Unicode costs more. Every note offers the way out.
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Stack from "@mui/material/Stack";
import { counted } from "../../design/count";
import { charsOutside } from "./content/gsm7";
import { replaceLookalikes } from "./content/lookalike";
import { type Kind, measureText, type Sent } from "./content/measure";

interface Props {
  kind: Kind;
  message: string;
  sent: Sent;
  /** What so many pages cost each recipient. */
  priceOf: (pages: number) => string | null;
  onKind: (kind: Kind) => void;
  onMessage: (message: string) => void;
}

const SHOWN = 12;

export function EncodingNotes({ kind, message, sent, priceOf, onKind, onMessage }: Props) {
  if (!message.trim()) return null;
  const costs = (pages: number) => [counted(pages, "page"), priceOf(pages)].filter(Boolean).join(", ");
  if (kind === "unicode") {
    if (sent.refused.length > 0) {
      return <Note severity="error">The message holds a control character that no telephone shows.</Note>;
    }
    const asText = measureText("text", message);
    const text = replaceLookalikes(message).text;
    const forcing = charsOutside(text);
    if (forcing.length > 0) {
      return (
        <Note severity="info">
          <Chars chars={forcing} /> can only be sent as Unicode, where a page holds 70 characters instead of
          156.
          {asText.pages < sent.pages &&
            ` Without them it is ${costs(asText.pages)} instead of ${costs(sent.pages)}.`}
        </Note>
      );
    }
    return (
      <Note
        severity="info"
        actions={
          <Button size="small" variant="outlined" onClick={() => onKind("text")}>
            Send as text
          </Button>
        }
      >
        {asText.replacements.length > 0
          ? "Only look-alikes keep this message in Unicode: a text sends plain ones in their place. "
          : "Nothing in this message needs Unicode. "}
        As text it is {costs(asText.pages)}
        {asText.pages < sent.pages && ` instead of ${costs(sent.pages)}`}.
      </Note>
    );
  }
  const asUnicode = measureText("unicode", message);
  return (
    <>
      {sent.refused.length > 0 && (
        <Note
          severity="warning"
          actions={
            <>
              <Button size="small" variant="outlined" onClick={() => onKind("unicode")}>
                Send as Unicode
              </Button>
              <Button
                size="small"
                variant="outlined"
                onClick={() => onMessage(without(message, sent.refused))}
              >
                Remove them
              </Button>
            </>
          }
        >
          A text message cannot carry <Chars chars={sent.refused} />. As Unicode it is{" "}
          {costs(asUnicode.pages)}; without them{" "}
          {costs(measureText(kind, without(message, sent.refused)).pages)}.
        </Note>
      )}
      {sent.replacements.length > 0 && (
        <Note
          severity="info"
          actions={
            <>
              <Button
                size="small"
                variant="outlined"
                onClick={() => onMessage(replaceLookalikes(message).text)}
              >
                Replace them now
              </Button>
              <Button size="small" variant="outlined" onClick={() => onKind("unicode")}>
                Keep them, as Unicode
              </Button>
            </>
          }
        >
          A text message carries plain letters, so these are sent in another form:{" "}
          {sent.replacements.slice(0, SHOWN).map(({ from, to, count: times }, at) => (
            <span key={from}>
              {at > 0 && ", "}
              <Char char={from} /> {to ? <>as {to === " " ? "a blank" : <Char char={to} />}</> : "left out"}
              {times > 1 && ` (${times} times)`}
            </span>
          ))}
          {sent.replacements.length > SHOWN && ` and ${sent.replacements.length - SHOWN} more`}. Kept as they
          are the message is {costs(asUnicode.pages)}
          {asUnicode.pages !== sent.pages && ` instead of ${costs(sent.pages)}`}.
        </Note>
      )}
    </>
  );
}

function Note(props: {
  severity: "info" | "warning" | "error";
  children: React.ReactNode;
  actions?: React.ReactNode;
}) {
  return (
    <Alert
      severity={props.severity}
      variant="outlined"
      sx={{ mt: 1.5, "& .MuiAlert-message": { minWidth: 0 } }}
    >
      <Box sx={{ overflowWrap: "anywhere" }}>{props.children}</Box>
      {props.actions && (
        <Stack sx={{ flexDirection: "row", flexWrap: "wrap", gap: 1, mt: 1 }}>{props.actions}</Stack>
      )}
    </Alert>
  );
}

function Chars({ chars }: { chars: readonly string[] }) {
  return (
    <>
      {chars.slice(0, SHOWN).map((char, at) => (
        <span key={char}>
          {at > 0 && " "}
          <Char char={char} />
        </span>
      ))}
      {chars.length > SHOWN && ` and ${chars.length - SHOWN} more`}
    </>
  );
}

/** A character, or the number of one that cannot be seen. */
function Char({ char }: { char: string }) {
  const unseen = /^[\p{Z}\p{C}\p{M}]*$/u.test(char);
  const shown = unseen ? `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` : char;
  return (
    <Box
      component="b"
      sx={{ px: 0.5, borderRadius: 0.5, backgroundColor: "action.hover", whiteSpace: "nowrap" }}
    >
      {shown}
    </Box>
  );
}

function without(message: string, chars: readonly string[]): string {
  const text = Array.from(message).filter((char) => !chars.includes(char));
  return text.join("").replace(/ {2,}/g, " ").trim();
}
