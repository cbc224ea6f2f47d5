// A file of contacts into a new or an existing group, or a list of numbers into the opt-outs.
import FileDownloadOutlined from "@mui/icons-material/FileDownloadOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Card from "@mui/material/Card";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import FormLabel from "@mui/material/FormLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Stack from "@mui/material/Stack";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { ApiProblem, freshKey, saveFile } from "../../api/client";
import { messageOf } from "../../api/problem";
import { Choice } from "../../design/Choice";
import { FileDrop } from "../../design/FileDrop";
import { PageHeader } from "../../design/PageHeader";
import { type OptOutReach, REACHES } from "../../design/purpose";
import { FormAlert } from "../../design/states";
import { useToasts } from "../../design/toasts";
import { ColumnChoice } from "./ColumnChoice";
import { guessRoles, mappingOf, type Preview, previewOf, type Role } from "./filePreview";
import { allGroupsQuery } from "./phonebook";
import { TEMPLATES } from "./templates";
import { importFile, type Target, type Upload } from "./upload";

/** The specification's text. */
const MISSING = "Please provide a file and group name.";

export default function UploadPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const given = Number(params.get("group")) || null;
  const [target, setTarget] = useState<Target>(
    params.get("as") === "opt-outs" ? "opt-outs" : given ? "group" : "new",
  );
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [note, setNote] = useState("");
  const [reach, setReach] = useState<OptOutReach>("all");
  const [group, setGroup] = useState(given ? String(given) : "");
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [roles, setRoles] = useState<Role[]>([]);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const groups = useQuery(allGroupsQuery());
  const toasts = useToasts();

  const importing = useMutation({
    mutationFn: (upload: Upload) => importFile(upload, freshKey()),
    onSuccess: ({ import: begun }) => navigate(`/dashboard/phonebook/imports/${begun.id}`),
    onError: (problem) => {
      const fields = problem instanceof ApiProblem ? problem.errors : [];
      setProblems(
        fields.length > 0
          ? Object.fromEntries(fields.map((it) => [it.field, it.message]))
          : { form: messageOf(problem) },
      );
    },
  });

  const choose = async (chosen: File) => {
    setFile(chosen);
    setProblems({});
    try {
      const found = await previewOf(chosen);
      setPreview(found);
      setRoles(guessRoles(found));
    } catch {
      setPreview(null);
      setProblems({ file: "This file cannot be read. Choose it again." });
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    toasts.begin();
    const found: Record<string, string> = {};
    if (!file) found.file = MISSING;
    if (target === "new" && name.trim() === "") found.group_name = MISSING;
    if (target === "group" && group === "") found.group = "Choose a group.";
    setProblems(found);
    const [first] = Object.values(found);
    if (first) {
      toasts.error(first);
      return;
    }
    if (!file) return;
    const columns = preview ? mappingOf(preview.titles, roles, guessRoles(preview)) : {};
    importing.mutate({ file, target, group: Number(group), name, description, note, reach, columns });
  };

  // What belongs to a column or to nothing shown here is said above the form.
  const elsewhere = Object.entries(problems).find(
    ([field]) => !["file", "group_name", "group", "reach", "note"].includes(field),
  );

  return (
    <>
      <PageHeader
        title="Upload Contacts"
        text="A CSV or text file of any size. Numbers are checked, written in one form, and taken once; what cannot be taken is listed with its reason."
      />
      <Box
        sx={{
          display: "grid",
          gap: 2.5,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 300px" },
        }}
      >
        <Card
          component="form"
          noValidate
          onSubmit={submit}
          sx={{ p: { xs: 2, sm: 3 } }}
          aria-label="Upload contacts"
        >
          <FormAlert text={elsewhere?.[1]} />
          <Stack sx={{ gap: 3 }}>
            <FileDrop
              label="Drop a CSV or text file here, or choose one"
              about="One phone number per line, or columns"
              accept=".csv,.txt,.tsv,text/csv,text/plain"
              file={file}
              problem={problems.file}
              onFile={(it) => void choose(it)}
            />
            {preview && preview.rows.length > 0 && (
              <ColumnChoice preview={preview} roles={roles} onRoles={setRoles} />
            )}
            <Where target={target} onTarget={setTarget} />
            {target === "new" && (
              <>
                <TextField
                  label="Group name"
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                  error={Boolean(problems.group_name)}
                  helperText={problems.group_name}
                  slotProps={{ htmlInput: { maxLength: 100 } }}
                />
                <TextField
                  label="Description"
                  value={description}
                  onChange={(event) => setDescription(event.target.value)}
                  slotProps={{ htmlInput: { maxLength: 500 } }}
                />
              </>
            )}
            {target === "group" && (
              <Choice
                label="Group"
                value={group}
                onChange={setGroup}
                error={Boolean(problems.group)}
                helperText={problems.group ?? "Numbers that are in it already are brought up to date."}
                options={[
                  ["", groups.data?.length === 0 ? "You have no group yet" : "Choose a group"],
                  ...(groups.data ?? []).map(
                    (it) =>
                      [
                        String(it.id),
                        `${it.group_name} (${it.contacts_count.toLocaleString("en")})`,
                      ] as const,
                  ),
                ]}
              />
            )}
            {target === "opt-outs" && (
              <>
                <Choice
                  label="Ends"
                  value={reach}
                  onChange={(it) => setReach(it as OptOutReach)}
                  error={Boolean(problems.reach)}
                  helperText={problems.reach ?? "Which of your messages the numbers get no more"}
                  options={REACHES.map((it) => [it.value, it.label] as const)}
                />
                <TextField
                  label="Note"
                  value={note}
                  onChange={(event) => setNote(event.target.value)}
                  error={Boolean(problems.note)}
                  helperText={problems.note ?? "Noted with each number: why, or where you heard it"}
                />
              </>
            )}
            <Button
              type="submit"
              variant="contained"
              size="large"
              loading={importing.isPending}
              sx={{ alignSelf: "flex-start" }}
            >
              {target === "opt-outs" ? "Upload opt-outs" : "Upload contacts"}
            </Button>
          </Stack>
        </Card>
        <Forms />
      </Box>
    </>
  );
}

function Where({ target, onTarget }: { target: Target; onTarget: (target: Target) => void }) {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id} sx={{ mb: 0.5 }}>
        Where to
      </FormLabel>
      <RadioGroup aria-labelledby={id} row value={target} onChange={(_, value) => onTarget(value as Target)}>
        <FormControlLabel value="new" control={<Radio />} label="A new group" />
        <FormControlLabel value="group" control={<Radio />} label="An existing group" />
        <FormControlLabel value="opt-outs" control={<Radio />} label="The opt-outs" />
      </RadioGroup>
    </FormControl>
  );
}

/** The formats that an import accepts, with a file to begin with. */
function Forms() {
  return (
    <Box component="aside" aria-labelledby="forms" sx={{ alignSelf: "start" }}>
      <Typography id="forms" variant="h3" component="h2" sx={{ mb: 1 }}>
        Accepted formats
      </Typography>
      <Box component="ul" sx={{ pl: 2.5, m: 0, mb: 2, color: "text.secondary", "& li": { mb: 0.75 } }}>
        <li>One number per line, or columns between commas, semicolons or tabs.</li>
        <li>0803 123 4567, 803 123 4567, +234 803 123 4567; other countries with + and their code.</li>
        <li>What spreadsheets do to numbers: 8.03E+09, a lost 0 in front.</li>
      </Box>
      <Stack sx={{ gap: 1, alignItems: "flex-start" }}>
        {TEMPLATES.map((it) => (
          <Button
            key={it.name}
            size="small"
            startIcon={<FileDownloadOutlined />}
            onClick={() => saveFile(new Blob([it.text], { type: it.type }), it.name)}
          >
            {it.label}: {it.name}
          </Button>
        ))}
      </Stack>
    </Box>
  );
}
