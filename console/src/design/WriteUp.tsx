// What an administrator writes for customers, as they read it.
import Box from "@mui/material/Box";
import DOMPurify from "dompurify";

/** The daemon has sanitised it; nothing that was stored before it did may run here either. */
const PURE = {
  FORBID_TAGS: ["style", "form", "input", "button", "textarea", "select"],
  FORBID_ATTR: ["style", "class", "id"],
};

/** Where the browser is too old for it, it would hand the text back as it is: there is none then. */
export function pure(html: string): string {
  return DOMPurify.isSupported ? DOMPurify.sanitize(html, PURE) : "";
}

/** `html` is what `pure` answered. */
export function WriteUp({ html }: { html: string }) {
  return (
    <Box
      sx={{
        maxWidth: 760,
        overflowWrap: "anywhere",
        "& > :first-of-type": { mt: 0 },
        "& > :last-child": { mb: 0 },
        "& h1, & h2, & h3": { fontSize: "1.25rem", lineHeight: 1.3, mt: 3, mb: 1 },
        "& a": { color: "primary.main" },
        "& img": { maxWidth: "100%", height: "auto" },
        "& table": { borderCollapse: "collapse", display: "block", overflowX: "auto" },
        "& td, & th": { border: 1, borderColor: "divider", px: 1.5, py: 0.75, textAlign: "left" },
      }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the daemon and by `pure`
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
