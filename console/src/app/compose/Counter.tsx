// How long the message is: characters left, pages (what is billed) and segments (what goes over the air).
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { counted } from "../../design/count";
import { type Encoding, type Measured, PAGES_MAX } from "./content/measure";

const UNIT: Record<Encoding, string> = { gsm7: "character", ucs2: "character", binary: "octet" };
const NAMED: Record<Encoding, string> = {
  gsm7: "plain letters (GSM-7)",
  ucs2: "Unicode (UCS-2)",
  binary: "binary",
};

interface Props {
  id: string;
  measured: Measured;
  /** What it costs each recipient, where prices are known. */
  price: string | null;
  /** `each` of the recipients, or of some. */
  each: string;
  /** Merge fields make every message its own length. */
  varies: boolean;
}

export function Counter({ id, measured, price, each, varies }: Props) {
  const { encoding, units, pages, segments, left, page, tooLong } = measured;
  return (
    <Box id={id} sx={{ mt: 1 }}>
      <Box aria-hidden sx={{ display: "grid", gridTemplateColumns: `repeat(${PAGES_MAX}, 1fr)`, gap: 0.5 }}>
        {Array.from({ length: PAGES_MAX }, (_, at) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: six places, always the same
            key={at}
            sx={{
              height: 5,
              borderRadius: 1,
              backgroundColor: at < pages ? (tooLong ? "error.main" : "primary.main") : "divider",
            }}
          />
        ))}
      </Box>
      <Box
        sx={{
          mt: 0.75,
          display: "flex",
          flexWrap: "wrap",
          justifyContent: "space-between",
          columnGap: 2,
          fontSize: "0.875rem",
          fontVariantNumeric: "tabular-nums",
        }}
      >
        <Typography variant="body2" color={tooLong ? "error" : undefined} sx={{ fontWeight: 600 }}>
          {tooLong
            ? `${units - page * PAGES_MAX} too many: at most ${PAGES_MAX} pages of ${page}`
            : `${left.toLocaleString("en")} of ${page} ${UNIT[encoding]}s left`}
        </Typography>
        <Typography variant="body2">
          <b>{counted(pages, "page")}</b>
          {`, ${counted(segments, "segment")} as ${NAMED[encoding]}`}
        </Typography>
        {price && pages > 0 && !tooLong && (
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {price} to {each}
          </Typography>
        )}
      </Box>
      {varies && (
        <Typography variant="body2" color="textSecondary">
          Counted for the recipient in the preview. Each message is billed by its own length.
        </Typography>
      )}
    </Box>
  );
}
