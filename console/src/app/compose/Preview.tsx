// The message on a telephone, for one recipient after the other.
import ChevronLeft from "@mui/icons-material/ChevronLeft";
import ChevronRight from "@mui/icons-material/ChevronRight";
import PersonOutlined from "@mui/icons-material/PersonOutlined";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import type { Sent } from "./content/measure";
import { fieldValue, parseTemplate, type Values } from "./content/template";
import type { Draft } from "./draft";
import type { Recipient } from "./merge";
import { Section } from "./Section";

interface Props {
  draft: Draft;
  sent: Sent | null;
  recipients: readonly Recipient[];
  at: number;
  onMove: (at: number) => void;
}

export function Preview({ draft, sent, recipients, at, onMove }: Props) {
  const recipient = recipients[at];
  return (
    <Section title="Preview">
      <Box
        sx={{
          mx: "auto",
          maxWidth: 264,
          border: 6,
          borderColor: "text.secondary",
          borderRadius: "28px",
          overflow: "hidden",
          backgroundColor: "background.default",
        }}
      >
        <Typography
          component="p"
          sx={{
            py: 1,
            px: 2,
            textAlign: "center",
            fontWeight: 700,
            fontSize: "0.875rem",
            backgroundColor: "background.paper",
            borderBottom: 1,
            borderColor: "divider",
            overflowWrap: "anywhere",
          }}
        >
          {draft.senderid || "No sender"}
        </Typography>
        <Box
          sx={{
            // As high as the price below it leaves room for.
            height: { xs: 300, lg: "clamp(72px, 100vh - 700px, 300px)" },
            overflowY: "auto",
            p: 1.5,
            display: "flex",
            flexDirection: "column",
            justifyContent: draft.kind === "flash" ? "center" : "flex-start",
          }}
          tabIndex={0}
          role="region"
          aria-label="Message on a phone"
        >
          <MessagePreview draft={draft} sent={sent} values={recipient?.values ?? {}} />
        </Box>
      </Box>
      {recipients.length > 0 && (
        <Box sx={{ mt: 1.5, display: "flex", alignItems: "center", justifyContent: "center", gap: 0.5 }}>
          <IconButton
            size="small"
            aria-label="Recipient before"
            disabled={at === 0}
            onClick={() => onMove(at - 1)}
          >
            <ChevronLeft />
          </IconButton>
          <Typography variant="body2" aria-live="polite" sx={{ fontVariantNumeric: "tabular-nums" }}>
            To {recipient?.number} ({at + 1} of {recipients.length})
          </Typography>
          <IconButton
            size="small"
            aria-label="Next recipient"
            disabled={at >= recipients.length - 1}
            onClick={() => onMove(at + 1)}
          >
            <ChevronRight />
          </IconButton>
        </Box>
      )}
    </Section>
  );
}

function MessagePreview({ draft, sent, values }: { draft: Draft; sent: Sent | null; values: Values }) {
  const fill = (text: string) =>
    parseTemplate(text)
      .map((piece) => ("text" in piece ? piece.text : (fieldValue(piece, values) ?? `{${piece.field}}`)))
      .join("");
  if (draft.kind === "wap-push") {
    return (
      <Bubble empty={!draft.wap_title && !draft.wap_url}>
        <b>{fill(draft.wap_title)}</b>
        <Box component="span" sx={{ display: "block", color: "primary.main", textDecoration: "underline" }}>
          {fill(draft.wap_url)}
        </Box>
      </Bubble>
    );
  }
  if (draft.kind === "vcard") {
    const name = `${draft.first_name} ${draft.last_name}`.trim();
    const lines = [draft.job_title, draft.company, draft.telephone, draft.email].filter(Boolean);
    return (
      <Bubble empty={!name && lines.length === 0}>
        <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 1, mb: 0.5 }}>
          <PersonOutlined />
          <b>{name}</b>
        </Box>
        {lines.map((line) => (
          <Box component="span" key={line} sx={{ display: "block" }}>
            {line}
          </Box>
        ))}
      </Bubble>
    );
  }
  return (
    <>
      <Bubble empty={!sent?.text} flash={draft.kind === "flash"}>
        {sent?.text}
      </Bubble>
      {sent && sent.missing.length > 0 && (
        <Typography variant="body2" color="error" sx={{ mt: 1 }}>
          No value for {sent.missing.map((name) => `{${name}}`).join(", ")}: this recipient is left out.
        </Typography>
      )}
    </>
  );
}

function Bubble({ children, empty, flash }: { children: ReactNode; empty: boolean; flash?: boolean }) {
  return (
    <Box
      sx={{
        p: 1.5,
        borderRadius: flash ? 2 : "4px 14px 14px 14px",
        alignSelf: flash ? "stretch" : "flex-start",
        maxWidth: flash ? undefined : "92%",
        fontSize: "0.875rem",
        lineHeight: 1.45,
        whiteSpace: "pre-wrap",
        overflowWrap: "anywhere",
        backgroundColor: "background.paper",
        border: flash ? 2 : 1,
        borderColor: flash ? "text.primary" : "divider",
        color: empty ? "text.secondary" : "text.primary",
      }}
    >
      {empty ? "Your message appears here." : children}
    </Box>
  );
}
