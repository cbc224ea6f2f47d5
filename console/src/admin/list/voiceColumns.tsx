// Calls to many as administrators see them, of all users and of one.
import Link from "@mui/material/Link";
import { Link as To } from "react-router-dom";
import type { Column } from "../../design/DataTable";
import { VOICE_OUTCOME } from "../../design/voiceColumns";
import { Said, type VoiceReport } from "../../design/voiceReport";
import { addressOf } from "../address";
import { Excerpt } from "./cells";

/** What was said, with the way to its campaign, and what became of it. */
export const VOICE_COLUMNS: readonly Column<VoiceReport>[] = [
  {
    key: "msg",
    label: "Message",
    phone: "title",
    cell: (row) => (
      <Said report={row}>
        <Link component={To} to={addressOf(`campaign-history/${row.broadcastId}`)}>
          <Excerpt text={row.msg || `Campaign ${row.broadcastId}`} width={260} />
        </Link>
      </Said>
    ),
  },
  ...VOICE_OUTCOME,
];
