// Who gets it: any text with numbers in it, groups, files, and lists that are at the daemon already. What is understood of the text is shown at once; files are sent
// as they are, and so is a pasted text that is too long to be read while it is typed.
import AttachFileOutlined from "@mui/icons-material/AttachFileOutlined";
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import DescriptionOutlined from "@mui/icons-material/DescriptionOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from "react";
import { useFormContext } from "react-hook-form";
import { messageOf } from "../../api/problem";
import { counted } from "../../design/count";
import { FormField } from "../../design/form";
import { toast } from "../../design/toasts";
import { type Audience, PASTE_MAX } from "./audience";
import { type NumbersRead, REASONS } from "./content/numbers";
import { EarlierLists } from "./EarlierLists";
import { Groups } from "./Groups";
import { identity } from "./merge";
import { NumberColumns } from "./NumberColumns";
import type { RecipientsRead } from "./useRecipients";
import type { Checked } from "./useRecipientsCheck";

/** Of one form. */
const FILES_MAX = 50;

interface Props {
  recipients: RecipientsRead;
  /** What the columns of a file are good for, where they are for anything. */
  columnsHint?: string;
}

const ACCEPTED = /\.(csv|txt)$/i;

export function Recipients({ recipients, columnsHint }: Props) {
  const { attached, understood, checked, checking, checkFailure } = recipients;
  const { control } = useFormContext<Audience>();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();

  const add = (list: Iterable<File>) => {
    const files = [...list];
    const good = files.filter((file) => ACCEPTED.test(file.name));
    if (good.length < files.length) {
      toast.error("Only CSV and TXT files can be read: one phone number a line, or a table.");
    }
    const room = FILES_MAX - attached.length;
    if (good.length > room) toast.error(`At most ${FILES_MAX} files can be sent at once: join some of them.`);
    if (good.length > 0) recipients.add(good.slice(0, room));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData("text/plain");
    if (text.length <= PASTE_MAX) return;
    event.preventDefault();
    recipients.add([new File([text], "pasted-numbers.txt", { type: "text/plain" })]);
    toast.info("That is a long list, so it was attached as a file.");
  };

  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FormField
        name="recipients"
        control={control}
        label="Recipients"
        placeholder="Numbers such as 8012345678,8143256790"
        multiline
        rows={4}
        onPaste={paste}
        slotProps={{
          // Out of the way of the placeholder, which says what may stand here.
          inputLabel: { shrink: true },
          htmlInput: { "aria-describedby": hint, spellCheck: false, maxLength: PASTE_MAX },
        }}
      />
      <div id={hint} aria-live="polite">
        <Findings understood={understood} />
      </div>
      <Box sx={{ mt: 1.5 }}>
        <Groups />
      </Box>
      <Box
        sx={{
          mt: 1.5,
          p: 1.5,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          gap: 1.5,
          border: 1,
          borderStyle: "dashed",
          borderColor: over ? "primary.main" : "divider",
          backgroundColor: over ? "primary.light" : undefined,
          borderRadius: 1,
        }}
      >
        <Button
          variant="outlined"
          size="small"
          startIcon={<AttachFileOutlined />}
          onClick={() => input.current?.click()}
        >
          Add a file
        </Button>
        <Typography variant="body2" color="textSecondary" sx={{ flex: "1 1 220px" }}>
          or drop it here: CSV or TXT, of any size. {columnsHint}
        </Typography>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          multiple
          hidden
          aria-label="File of recipients"
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
      </Box>
      {attached.length > 0 && (
        <Stack component="ul" aria-label="Files" sx={{ listStyle: "none", p: 0, m: 0, mt: 1, gap: 0.5 }}>
          {attached.map(({ file, head }) => (
            <Stack
              component="li"
              key={identity(file)}
              sx={{ flexDirection: "row", alignItems: "center", gap: 1 }}
            >
              <DescriptionOutlined fontSize="small" sx={{ color: "text.secondary" }} />
              <Box sx={{ minWidth: 0, flex: 1, overflowWrap: "anywhere" }}>
                <Typography variant="body2" sx={{ fontWeight: 600 }}>
                  {file.name}{" "}
                  <Typography component="span" variant="body2" color="textSecondary">
                    {sizeOf(file.size)}
                  </Typography>
                </Typography>
                {head && head.columns.length > 0 && (
                  <Typography variant="body2" color="textSecondary">
                    Columns: {head.columns.join(", ")}
                  </Typography>
                )}
              </Box>
              <IconButton
                size="small"
                aria-label={`Remove ${file.name}`}
                onClick={() => recipients.remove(file)}
              >
                <CloseOutlined fontSize="small" />
              </IconButton>
            </Stack>
          ))}
        </Stack>
      )}
      <div aria-live="polite">
        {attached.length > 0 && <NumberColumns seen={recipients.columnsSeen} onChoose={recipients.choose} />}
      </div>
      <EarlierLists />
      <Typography variant="body2" aria-live="polite" sx={{ mt: 0.75 }}>
        {checking && "Counting the recipients."}
        {checked && <b>{inAll(checked)}</b>}
        {checkFailure && (
          <Box component="span" sx={{ color: "error.main" }}>
            {messageOf(checkFailure)}
          </Box>
        )}
      </Typography>
    </Box>
  );
}

/** Text, groups and files together, as the daemon counted them. */
export function inAll(checked: Checked): string {
  const { total_contacts, total_duplicates_removed, total_invalid, total_suppressed } = checked;
  const said = [`${counted(total_contacts, "contact")} in all`];
  if (total_duplicates_removed > 0) said.push(`${counted(total_duplicates_removed, "duplicate")} left out`);
  if (total_suppressed > 0) said.push(`${counted(total_suppressed, "opted-out number")} left out`);
  if (total_invalid > 0) said.push(`${counted(total_invalid, "entry", "entries")} that cannot be used`);
  return said.join(", ");
}

const SHOWN = 20;

function Findings({ understood }: { understood: NumbersRead }) {
  const { numbers, duplicates, rejects } = understood;
  if (numbers.length + rejects.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75 }}>
        Paste anything: numbers are found in lists, tables and sentences. Other countries need + and their
        code.
      </Typography>
    );
  }
  const said = [`${counted(numbers.length, "number")} understood`];
  if (duplicates > 0) said.push(`${counted(duplicates, "duplicate")} left out`);
  return (
    <Box sx={{ mt: 0.75 }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {said.join(", ")}
      </Typography>
      {rejects.length > 0 && (
        <Box component="details" sx={{ mt: 0.5, fontSize: "0.875rem" }}>
          <Box component="summary" sx={{ color: "error.main", cursor: "pointer", fontWeight: 600 }}>
            {counted(rejects.length, "entry", "entries")} that cannot be used
          </Box>
          <Box component="ul" sx={{ pl: 2.5, my: 0.5, color: "text.secondary", overflowWrap: "anywhere" }}>
            {rejects.slice(0, SHOWN).map(({ text, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same entry may stand there twice
              <li key={`${at} ${text}`}>
                <Box component="b" sx={{ color: "text.primary" }}>
                  {text}
                </Box>
                : {REASONS[reason]}
              </li>
            ))}
            {rejects.length > SHOWN && <li>and {rejects.length - SHOWN} more</li>}
          </Box>
        </Box>
      )}
    </Box>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
