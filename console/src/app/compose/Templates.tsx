// Templates beside a text: one that was kept is put into it, and what is written is kept under a name.
import BookmarkAddOutlined from "@mui/icons-material/BookmarkAddOutlined";
import DeleteOutlined from "@mui/icons-material/DeleteOutlined";
import SubjectOutlined from "@mui/icons-material/SubjectOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemText from "@mui/material/ListItemText";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { messageOf } from "../../api/problem";
import { ConfirmDialog } from "../../design/ConfirmDialog";
import { FormDialog } from "../../design/FormDialog";
import { toast } from "../../design/toasts";
import { deleteTemplate, saveTemplate, type Template, templatesQuery } from "./templates";

/** From so many on they are searched. */
const MANY = 8;
const NAME_MAX = 60;

interface Props {
  /** What is written now. */
  text: string;
  onUse: (text: string) => void;
}

export function Templates({ text, onUse }: Props) {
  const [open, setOpen] = useState<"use" | "save" | null>(null);
  const close = () => setOpen(null);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, mb: 1.5 }}>
      <Button size="small" variant="outlined" startIcon={<SubjectOutlined />} onClick={() => setOpen("use")}>
        Use a template
      </Button>
      <Button
        size="small"
        startIcon={<BookmarkAddOutlined />}
        disabled={text.trim() === ""}
        onClick={() => setOpen("save")}
      >
        Save as template
      </Button>
      {open === "use" && (
        <Chooser
          onUse={(template) => {
            close();
            onUse(template.text);
          }}
          onClose={close}
        />
      )}
      {open === "save" && <Saver text={text} onClose={close} />}
    </Box>
  );
}

function Chooser({ onUse, onClose }: { onUse: (template: Template) => void; onClose: () => void }) {
  const title = useId();
  const client = useQueryClient();
  const list = useQuery(templatesQuery());
  const [sought, setSought] = useState("");
  /** That is to be deleted, while the person is asked. */
  const [doomed, setDoomed] = useState<Template | null>(null);
  const remove = useMutation({
    mutationFn: (template: Template) => deleteTemplate(template.id),
    onError: (problem) => toast.error(messageOf(problem)),
    onSettled: () => {
      setDoomed(null);
      return client.invalidateQueries({ queryKey: templatesQuery().queryKey });
    },
  });
  const wanted = sought.trim().toLowerCase();
  const found = list.data?.filter((it) => `${it.name} ${it.text}`.toLowerCase().includes(wanted));
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={title}>
      <DialogTitle id={title}>Use a template</DialogTitle>
      <DialogContent>
        {list.isPending && <Skeleton variant="rounded" height={96} />}
        {list.isError && !list.data && (
          <>
            <Typography role="alert" sx={{ mb: 1 }}>
              The templates could not be read. {messageOf(list.error)}
            </Typography>
            <Button size="small" variant="outlined" onClick={() => void list.refetch()}>
              Try again
            </Button>
          </>
        )}
        {list.data?.length === 0 && (
          <Typography color="textSecondary">
            You have no templates yet. Write a message and choose “Save as template” to use it again.
          </Typography>
        )}
        {(list.data?.length ?? 0) > MANY && (
          <TextField
            label="Find a template"
            type="search"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
            sx={{ mt: 1 }}
          />
        )}
        <List aria-label="Templates">
          {found?.map((template) => (
            <ListItem
              key={template.id}
              disablePadding
              secondaryAction={
                <IconButton
                  edge="end"
                  aria-label={`Delete the template ${template.name}`}
                  onClick={() => setDoomed(template)}
                >
                  <DeleteOutlined />
                </IconButton>
              }
            >
              <ListItemButton onClick={() => onUse(template)}>
                <ListItemText
                  primary={template.name}
                  secondary={template.text}
                  slotProps={{
                    primary: { sx: { fontWeight: 600, overflowWrap: "anywhere" } },
                    secondary: {
                      sx: {
                        display: "-webkit-box",
                        WebkitLineClamp: 2,
                        WebkitBoxOrient: "vertical",
                        overflow: "hidden",
                        overflowWrap: "anywhere",
                      },
                    },
                  }}
                />
              </ListItemButton>
            </ListItem>
          ))}
        </List>
        {found?.length === 0 && wanted && <Typography>No template contains that.</Typography>}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose} color="inherit">
          Close
        </Button>
      </DialogActions>
      <ConfirmDialog
        open={doomed !== null}
        title="Delete this template?"
        confirm="Delete"
        danger
        maxWidth="xs"
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        {doomed?.name}
      </ConfirmDialog>
    </Dialog>
  );
}

function Saver({ text, onClose }: { text: string; onClose: () => void }) {
  const client = useQueryClient();
  const list = useQuery(templatesQuery());
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  // Names are compared in whatever case, and without blanks around words.
  const plain = (it: string) => it.trim().replace(/\s+/g, " ").toLowerCase();
  const same = list.data?.find((it) => plain(it.name) === plain(name));
  const save = useMutation({
    mutationFn: () => saveTemplate({ id: same?.id, name, text }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onError: (problem) => setFault(messageOf(problem)),
    onSettled: () => client.invalidateQueries({ queryKey: templatesQuery().queryKey }),
  });
  return (
    <FormDialog
      title="Save as template"
      submit={same ? "Replace" : "Save"}
      busy={save.isPending}
      problem={fault}
      maxWidth="xs"
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog of the form that it stands in: that one is not sent.
        event.stopPropagation();
        setFault(null);
        if (name.trim() === "") setFault("Give the template a name");
        else save.mutate();
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        helperText={same ? `“${same.name}” is there already: its text is replaced.` : undefined}
        slotProps={{ htmlInput: { maxLength: NAME_MAX } }}
      />
    </FormDialog>
  );
}
