// A banner that scrolls what is announced. It can be paused, stands still where less motion is preferred, and stays
// dismissed until the page is loaded again.
import CampaignOutlined from "@mui/icons-material/CampaignOutlined";
import Close from "@mui/icons-material/Close";
import Pause from "@mui/icons-material/Pause";
import PlayArrow from "@mui/icons-material/PlayArrow";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { announcementsQuery } from "../../api/queries";
import styles from "./Announcements.module.css";
import { halves, repeated } from "./banners";

const SECONDS_PER_LETTER = 0.16;

export function Announcements({ half }: { half: "upper" | "lower" }) {
  const { data } = useQuery(announcementsQuery());
  const still = useMediaQuery("(prefers-reduced-motion: reduce)");
  const [dismissed, setDismissed] = useState(false);
  const [paused, setPaused] = useState(false);
  const own = halves(data ?? [])[half];
  if (dismissed || own.length === 0) return null;

  const texts = (still ? own : repeated(own)).map((it, at) => ({
    key: `${it.id}-${at}`,
    text: it.announcement,
  }));
  const letters = texts.reduce((sum, it) => sum + it.text.length + 12, 0);
  const seconds = Math.max(18, letters * SECONDS_PER_LETTER);
  return (
    <Box
      component="aside"
      aria-label={half === "upper" ? "Announcements" : "More announcements"}
      className={styles.banner}
    >
      <CampaignOutlined fontSize="small" aria-hidden />
      <ul className="visually-hidden">
        {own.map((it) => (
          <li key={it.id}>{it.announcement}</li>
        ))}
      </ul>
      <div className={still ? styles.still : styles.window} aria-hidden="true">
        <div
          className={styles.track}
          style={{ animationDuration: `${seconds}s`, animationPlayState: paused ? "paused" : undefined }}
        >
          {[0, 1].slice(0, still ? 1 : 2).map((copy) => (
            <div key={copy} className={styles.run}>
              {texts.map((it) => (
                <span key={it.key}>{it.text}</span>
              ))}
            </div>
          ))}
        </div>
      </div>
      {!still && (
        <IconButton
          size="small"
          color="inherit"
          aria-label={paused ? "Let the announcements run" : "Pause the announcements"}
          onClick={() => setPaused(!paused)}
        >
          {paused ? <PlayArrow fontSize="small" /> : <Pause fontSize="small" />}
        </IconButton>
      )}
      <IconButton
        size="small"
        color="inherit"
        aria-label="Dismiss the announcements"
        onClick={() => setDismissed(true)}
      >
        <Close fontSize="small" />
      </IconButton>
    </Box>
  );
}
