// One import: how far it is, and when it is done, what was taken and what was not.
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import LinearProgress from "@mui/material/LinearProgress";
import Stack from "@mui/material/Stack";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { api, download } from "../../api/client";
import { opened, useEvents } from "../../api/events";
import { ApiProblem, messageOf } from "../../api/problem";
import { composeAddress } from "../../design/composeAddress";
import { PageHeader } from "../../design/PageHeader";
import { EmptyState, ErrorState, PageSkeleton } from "../../design/states";
import { toast } from "../../design/toasts";
import { StatusChip } from "../../design/values";
import { columnsInWords, figuresOf, numbersInWords, percentDone } from "./importReport";
import {
  groupQuery,
  type Import,
  importQuery,
  REJECTS_SHOWN,
  rejectsQuery,
  useInvalidatePhonebook,
} from "./phonebook";

export default function ImportPage() {
  const id = Number(useParams().id);
  const client = useQueryClient();
  const [running, setRunning] = useState(false);
  const streams = useEvents(
    running ? `import ${id}` : null,
    (signal) =>
      opened(api.GET("/api/imports/{id}/events", { params: { path: { id } }, parseAs: "stream", signal })),
    ({ data }) => client.setQueryData(importQuery(id).queryKey, JSON.parse(data) as Import),
  );
  const result = useQuery({ ...importQuery(id, streams), enabled: Number.isInteger(id) });
  const status = result.data?.status;
  useEffect(() => setRunning(status === "running"), [status]);
  const changed = useInvalidatePhonebook();
  // The lists hold new rows once it has ended.
  useEffect(() => {
    if (status && status !== "running") void changed();
  }, [status, changed]);

  const missing =
    !Number.isInteger(id) || (result.error instanceof ApiProblem && result.error.status === 404);
  if (missing) {
    return (
      <>
        <PageHeader title="No such import" />
        <EmptyState
          title="There is no such import"
          text="Imports are kept for 30 days."
          action={{ label: "Show all imports", to: "/dashboard/phonebook/imports" }}
        />
      </>
    );
  }
  if (!result.data) {
    return result.isError ? (
      <ErrorState error={result.error} onRetry={() => void result.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  return <ImportView import={result.data} />;
}

function ImportView({ import: it }: { import: Import }) {
  const rejects = useMutation({
    mutationFn: () =>
      download(
        api.GET("/api/imports/{id}/rejects", { params: { path: { id: it.id } }, parseAs: "blob" }),
        `rejects-${it.id}.csv`,
      ),
    onError: (problem) => toast.error(messageOf(problem)),
  });
  const optOuts = it.target === "optouts";
  const running = it.status === "running";
  const group = useQuery({ ...groupQuery(it.group_id ?? 0), enabled: it.group_id != null }).data;
  const share = percentDone(it);
  const sendTo = sendToOf(it, group?.contacts_count ?? 0);
  const target = optOuts ? "/dashboard/phonebook/opt-outs" : `/dashboard/phonebook/${it.group_id ?? ""}`;
  return (
    <>
      <PageHeader
        back={[
          { to: "/dashboard/phonebook", label: "Phonebook" },
          { to: "/dashboard/phonebook/imports", label: "Imports" },
        ]}
        title={optOuts ? `Import ${it.id} of opt-outs` : `Import ${it.id} of contacts`}
        text={numbersInWords(it, group?.group_name)}
        actions={
          !running && (
            <>
              <Button component={Link} to="/dashboard/upload-contacts" variant="outlined">
                Upload another file
              </Button>
              {sendTo && (
                <Button component={Link} to={sendTo} variant="outlined">
                  {it.is_sendable ? "Send to these" : "Send to the group"}
                </Button>
              )}
              {(optOuts || it.group_id) && (
                <Button component={Link} to={target} variant="contained">
                  {optOuts ? "Show opt-outs" : "Open the group"}
                </Button>
              )}
            </>
          )
        }
      />
      <Card sx={{ p: { xs: 2, sm: 3 } }}>
        <Stack sx={{ gap: 2.5 }}>
          <Stack direction="row" sx={{ alignItems: "center", gap: 1.5 }} aria-live="polite">
            <StatusChip status={it.status} />
            <Typography>
              {running
                ? share === null
                  ? `${it.rows_read.toLocaleString("en")} rows read so far`
                  : "The file is read; contacts are being written"
                : it.status === "completed" &&
                  `Import finished: ${it.added.toLocaleString("en")} added, ${it.invalid.toLocaleString("en")} rejected`}
            </Typography>
          </Stack>
          {running && (
            <LinearProgress
              aria-label="Progress of the import"
              variant={share === null ? "indeterminate" : "determinate"}
              value={share ?? undefined}
              sx={{ height: 8, borderRadius: 4 }}
            />
          )}
          {it.status === "interrupted" && (
            <Alert severity="warning" variant="outlined">
              The import was cut off. What it wrote is kept, and it goes on when the server is back. Or upload
              the same file again: nothing is doubled.
            </Alert>
          )}
          {(it.columns.notices ?? []).length > 0 && (
            <Alert severity="warning" variant="outlined">
              {it.columns.notices?.map((notice) => (
                <div key={notice}>{notice}.</div>
              ))}
              To import these, too, upload the file again and mark each of its columns with numbers as "Phone
              number".
            </Alert>
          )}
          {it.error && (
            <Alert severity="error" variant="outlined">
              {it.error}
            </Alert>
          )}
          <Box
            component="dl"
            sx={{
              display: "grid",
              gap: 2,
              m: 0,
              gridTemplateColumns: "repeat(auto-fill, minmax(132px, 1fr))",
            }}
          >
            {figuresOf(it).map(([label, value]) => (
              <Box key={label}>
                <Typography component="dt" variant="body2" color="textSecondary">
                  {label}
                </Typography>
                <Typography
                  component="dd"
                  sx={{ m: 0, fontSize: "1.25rem", fontWeight: 650, fontVariantNumeric: "tabular-nums" }}
                >
                  {value.toLocaleString("en")}
                </Typography>
              </Box>
            ))}
          </Box>
          {columnsInWords(it.columns) && (
            <Typography variant="body2" color="textSecondary">
              {columnsInWords(it.columns)}
            </Typography>
          )}
          {!running && it.invalid + it.warnings > 0 && (
            <Stack sx={{ gap: 1.5, alignItems: "flex-start" }}>
              <Alert severity="info" variant="outlined" sx={{ alignSelf: "stretch" }}>
                Fix these rows and upload them again: the file of rejects has each with its reason.
              </Alert>
              <Rejects import={it} />
              <Button
                variant="outlined"
                startIcon={<FileDownloadOutlined />}
                loading={rejects.isPending}
                onClick={() => rejects.mutate()}
              >
                Download rejects
              </Button>
            </Stack>
          )}
        </Stack>
      </Card>
    </>
  );
}

/** Where its numbers are written to, or the group that they are in; null where none is left. */
function sendToOf(it: Import, contacts: number): string | null {
  if (it.target !== "group" || !it.group_id || contacts === 0) return null;
  return composeAddress(
    "text",
    it.is_sendable ? { audience: [`import:${it.id}`] } : { groups: [it.group_id] },
  );
}

/** The first of what was not taken, each with its reason. */
function Rejects({ import: it }: { import: Import }) {
  const { data } = useQuery(rejectsQuery(it.id));
  if (!data || data.length === 0) return null;
  const more = it.invalid + it.warnings - data.length;
  return (
    <Box sx={{ alignSelf: "stretch", overflowX: "auto" }}>
      <Table size="small" aria-label="First rejects">
        <TableHead>
          <TableRow>
            <TableCell align="right">Line</TableCell>
            <TableCell>Entry</TableCell>
            <TableCell>Reason</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.map((reject) => (
            <TableRow key={`${reject.line} ${reject.value}`}>
              <TableCell align="right">{reject.line}</TableCell>
              <TableCell sx={{ overflowWrap: "anywhere" }}>{reject.value || "(empty)"}</TableCell>
              <TableCell>{reject.reason}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {data.length === REJECTS_SHOWN && more > 0 && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          And {more.toLocaleString("en")} more in the file.
        </Typography>
      )}
    </Box>
  );
}
