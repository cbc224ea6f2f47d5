// What became of calls to many, in columns: the voice reports of both roles show the same, between what was said and when.
import { count } from "./count";
import type { Column } from "./DataTable";
import { StatusChip } from "./values";
import { Answered, Charged, Failed, Refunded, type VoiceReport } from "./voiceReport";

/** Under the daemon's names. */
export const VOICE_OUTCOME: readonly Column<VoiceReport>[] = [
  { key: "status", label: "Status", phone: "status", cell: (row) => <StatusChip status={row.status} /> },
  {
    key: "no_of_sent_contacts",
    label: "Answered",
    align: "right",
    cell: (row) => <Answered report={row} />,
  },
  { key: "no_of_failed_contacts", label: "Failed", align: "right", cell: (row) => <Failed report={row} /> },
  { key: "units", label: "Units", align: "right", phone: "hidden", cell: (row) => count(row.units) },
  {
    key: "espees_deducted",
    label: "Charged",
    align: "right",
    phone: "figure",
    cell: (row) => <Charged report={row} />,
  },
  { key: "refunded_amount", label: "Refunded", align: "right", cell: (row) => <Refunded report={row} /> },
];
