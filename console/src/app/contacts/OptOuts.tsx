// Numbers that get no messages of this customer, whatever group or file they are in.
import Add from "@mui/icons-material/Add";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { api, ask, download } from "../../api/client";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { type Column, DataTable } from "../../design/DataTable";
import { optOutSource } from "../../design/optOut";
import { PageHeader } from "../../design/PageHeader";
import { formatPhone } from "../../design/phone";
import { reachName } from "../../design/purpose";
import { SearchField } from "../../design/SearchField";
import { SectionNav } from "../../design/SectionNav";
import { EmptyState } from "../../design/states";
import { useTableState } from "../../design/tableState";
import { toast } from "../../design/toasts";
import { DateTime, None } from "../../design/values";
import { OptOutDialog } from "./OptOutDialog";
import { LINKS, type OptOut, optOutsQuery, useInvalidatePhonebook } from "./phonebook";

export default function OptOuts() {
  const state = useTableState();
  const result = useQuery(optOutsQuery(state.query));
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OptOut | null>(null);
  const exporting = useMutation({
    mutationFn: () => download(api.GET("/api/optouts/export", { parseAs: "blob" }), "opt-outs.csv"),
    onError: (problem) => toast.error(messageOf(problem)),
  });

  const columns: Column<OptOut>[] = [
    { key: "phone", label: "Phone", cell: (it) => <span>{formatPhone(it.phone)}</span> },
    { key: "reach", label: "Ends", cell: (it) => reachName(it.reach) },
    { key: "source", label: "Source", cell: (it) => optOutSource(it.source) },
    { key: "note", label: "Note", cell: (it) => it.note || <None /> },
    { key: "since", label: "Since", cell: (it) => <DateTime value={it.created_at} /> },
    {
      key: "actions",
      label: "Actions",
      align: "right",
      actions: true,
      cell: (it) => (
        <IconButton aria-label={`Remove ${formatPhone(it.phone)}`} onClick={() => setRemoving(it)}>
          <DeleteOutlined />
        </IconButton>
      ),
    },
  ];

  return (
    <>
      <PageHeader
        title="Opt-outs"
        text="These numbers get no advertising of yours, or nothing but codes, in whatever group or file they are."
        actions={
          <>
            <Button
              component={Link}
              to="/dashboard/upload-contacts?as=opt-outs"
              variant="outlined"
              startIcon={<UploadFileOutlined />}
            >
              Upload a list
            </Button>
            <Button variant="contained" startIcon={<Add />} onClick={() => setAdding(true)}>
              Add a number
            </Button>
          </>
        }
      />
      <SectionNav label="Phonebook" links={LINKS} />
      <DataTable
        label="Opt-outs"
        columns={columns}
        rowKey={(it) => it.id}
        result={result}
        state={state}
        toolbar={
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}>
            <Box sx={{ flex: "1 1 240px" }}>
              <SearchField label="Search number or note" value={state.q} onSearch={state.setQ} />
            </Box>
            <Button
              startIcon={<FileDownloadOutlined />}
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              Export
            </Button>
          </Box>
        }
        empty={
          state.q ? (
            <EmptyState
              title="No opt-out matches"
              text="That number gets your messages, unless the platform or its carrier blocks it."
              action={{ label: "Show all opt-outs", onClick: () => state.setQ("") }}
            />
          ) : (
            <EmptyState
              title="No number has opted out"
              text="Add the number of a person who asks not to be messaged or called any more."
              action={{ label: "Add a number", onClick: () => setAdding(true) }}
            />
          )
        }
      />
      {adding && <OptOutDialog onClose={() => setAdding(false)} />}
      {removing && <Remove optOut={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function Remove({ optOut, onClose }: { optOut: OptOut; onClose: () => void }) {
  const changed = useInvalidatePhonebook();
  const advertising = optOut.reach === "promotional";
  const removing = useMutation({
    mutationFn: () => ask(api.DELETE("/api/optouts/{id}", { params: { path: { id: optOut.id } } })),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onClose();
      await changed();
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <ConfirmDialog
      open
      title={
        advertising
          ? `Send advertising to ${formatPhone(optOut.phone)} again?`
          : `Send to ${formatPhone(optOut.phone)} again?`
      }
      confirm="Remove from opt-outs"
      busy={removing.isPending}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    >
      {optOut.source === "stop"
        ? `This person asked for no more ${advertising ? "advertising" : "messages but codes"}, with STOP or the key 9. Send again only if they have asked for it since.`
        : `From now on the number gets your ${advertising ? "advertising" : "messages"} again wherever it is in your lists.`}
    </ConfirmDialog>
  );
}
