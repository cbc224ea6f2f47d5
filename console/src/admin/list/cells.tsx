// What cells of several lists show alike: whose something is, a number, a text that is cut.

import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { ReactNode } from "react";
import { Link as To } from "react-router-dom";
import { None } from "../../design/values";
import { addressOf, userAddress } from "../address";

/** A user by name, with the way to the account. */
export function UserLink({ id, name }: { id: number | null | undefined; name: string | null | undefined }) {
  if (id === null || id === undefined) return <None />;
  return (
    <Link component={To} to={userAddress(id)}>
      {name || `User ${id}`}
    </Link>
  );
}

export function CampaignLink({ id }: { id: number | null | undefined }) {
  if (id === null || id === undefined) return <None />;
  return (
    <Link component={To} to={addressOf(`campaign-history/${id}`)}>
      #{id}
    </Link>
  );
}

/** E.164 without its plus, as the API has it. */
export function Phone({ value }: { value: string | null | undefined }) {
  if (!value) return <None />;
  return (
    <span style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
      {/^\d+$/.test(value) ? `+${value}` : value}
    </span>
  );
}

export function Count({ value }: { value: number }) {
  return <span style={{ fontVariantNumeric: "tabular-nums" }}>{value.toLocaleString("en")}</span>;
}

/** At most two lines of a text; the whole is read by pointing at it, and by screen readers. */
export function Excerpt({ text, width = 320 }: { text: string; width?: number }) {
  return (
    <Box
      component="span"
      title={text}
      sx={{
        display: "-webkit-box",
        WebkitLineClamp: 2,
        WebkitBoxOrient: "vertical",
        overflow: "hidden",
        maxWidth: width,
        overflowWrap: "anywhere",
      }}
    >
      {text || "-"}
    </Box>
  );
}

/** Two lines: what it is, and what is said of it. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <Box component="span" data-lines="" sx={{ display: "block" }}>
      <Box component="span" sx={{ display: "block" }}>
        {first}
      </Box>
      <Box component="span" sx={{ display: "block", color: "text.secondary", fontSize: "0.8125rem" }}>
        {second}
      </Box>
    </Box>
  );
}

/** Buttons of a row. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, justifyContent: "flex-end", width: "100%" }}>
      {children}
    </Box>
  );
}
