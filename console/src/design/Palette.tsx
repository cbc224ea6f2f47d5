// Ctrl-K: one box that finds a page by its name, and what the room looks up. By keyboard as by mouse.
import SearchIcon from "@mui/icons-material/Search";
import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import IconButton from "@mui/material/IconButton";
import InputBase from "@mui/material/InputBase";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { own } from "../api/queries";

export interface Hit {
  /** What kind of thing it is: hits of one group stand together. */
  group: string;
  label: string;
  /** What tells it from others of its name. */
  about?: string;
  to: string;
}

interface Props {
  pages: readonly Hit[];
  /** What the room finds by a text of two characters and more. */
  find: (text: string) => Promise<Hit[]>;
  /** What can be found, as the box says while it is empty. */
  hint: string;
}

const PAGES_MOST = 6;
const WAIT_MS = 200;

/** Pages whose name has every word that was typed, those first that begin with it. */
export function pagesBy(pages: readonly Hit[], text: string): Hit[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = pages.filter(({ label, group }) => {
    const name = `${label} ${group}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
  const rank = ({ label }: Hit) => (label.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return fits.toSorted((a, b) => rank(a) - rank(b)).slice(0, PAGES_MOST);
}

/** A text that is a phone number as people write it, at least seven digits. */
export function numberIn(text: string): string | null {
  const digits = text.replace(/[\s().-]/g, "");
  return /^\+?\d{7,15}$/.test(digits) ? digits : null;
}

export function Palette(props: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const hear = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen((it) => !it);
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
  return (
    <>
      <Tooltip title="Find anything (Ctrl K)">
        <IconButton
          aria-label="Find anything"
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => setOpen(true)}
        >
          <SearchIcon />
        </IconButton>
      </Tooltip>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        fullWidth
        maxWidth="sm"
        sx={{ "& .MuiDialog-container": { alignItems: "flex-start" } }}
        slotProps={{
          paper: { "aria-label": "Search", sx: { mt: { xs: 2, sm: 10 }, mx: 2, width: "calc(100% - 32px)" } },
        }}
      >
        <SearchBox {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SearchBox({ pages, find, hint, onClose }: Props & { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setAsked(text.trim()), WAIT_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  const enough = asked.length >= 2;
  const found = useQuery({
    queryKey: own("palette", asked),
    queryFn: () => find(asked),
    enabled: enough,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  // What was found for an earlier text is shown until there is something newer, and never opened by Enter.
  const stale = found.isPlaceholderData || asked !== text.trim();
  const ofPages = pagesBy(pages, text);
  const hits = [...ofPages, ...((enough && found.data) || [])];
  const active = Math.min(at, hits.length - 1);
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    void navigate(hit.to);
  };
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = (active + step + hits.length) % Math.max(1, hits.length);
      setAt(next);
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (!stale || active < ofPages.length) go(hits[active]);
    }
  };
  return (
    <>
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1.5,
          px: 2,
          py: 1,
          borderBottom: 1,
          borderColor: "divider",
        }}
      >
        <SearchIcon sx={{ color: "text.secondary" }} />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          placeholder={hint}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={keys}
          inputProps={{
            role: "combobox",
            "aria-label": hint,
            "aria-expanded": hits.length > 0,
            "aria-controls": `${id}list`,
            "aria-autocomplete": "list",
            "aria-activedescendant": hits[active] ? `${id}${active}` : undefined,
            autoComplete: "off",
            spellCheck: false,
            maxLength: 100,
          }}
        />
      </Box>
      <Box
        ref={list}
        id={`${id}list`}
        role="listbox"
        aria-label="Found"
        sx={{ maxHeight: "min(60vh, 460px)", overflowY: "auto", p: 1 }}
      >
        {hits.map((hit, place) => (
          <Box
            key={`${hit.group} ${hit.to}`}
            id={`${id}${place}`}
            role="option"
            aria-selected={place === active}
            onClick={() => go(hit)}
            onMouseMove={() => setAt(place)}
            sx={{
              display: "flex",
              alignItems: "baseline",
              gap: 1.5,
              px: 1.5,
              py: 0.875,
              borderRadius: 1,
              cursor: "pointer",
              bgcolor: place === active ? "primary.light" : "transparent",
            }}
          >
            <Typography component="span" noWrap sx={{ fontWeight: 550, minWidth: 0 }}>
              {hit.label}
            </Typography>
            {hit.about && (
              <Typography
                component="span"
                variant="body2"
                noWrap
                sx={{ minWidth: 0, color: "text.secondary" }}
              >
                {hit.about}
              </Typography>
            )}
            <Typography
              component="span"
              variant="caption"
              sx={{ ml: "auto", flex: "none", color: "text.secondary" }}
            >
              {hit.group}
            </Typography>
          </Box>
        ))}
      </Box>
      <Typography
        role="status"
        variant="body2"
        color="textSecondary"
        sx={{ px: 2.5, pb: 1.5, minHeight: 32 }}
      >
        {wordsFor(text, hits.length, found)}
      </Typography>
    </>
  );
}

function wordsFor(text: string, hits: number, found: { isFetching: boolean; isError: boolean }): string {
  if (found.isError) return "Search is unavailable; only pages are listed.";
  if (hits > 0) return "Enter opens it, Escape closes.";
  if (text.trim() === "") return "";
  return found.isFetching ? "Looking…" : "Nothing found.";
}
