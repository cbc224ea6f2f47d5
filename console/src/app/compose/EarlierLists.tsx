// Lists among the recipients that the daemon has already: the recipients of a campaign, the numbers of an import. They are
// named here and read there, whatever their size.
import CloseOutlined from "@mui/icons-material/CloseOutlined";
import HistoryOutlined from "@mui/icons-material/HistoryOutlined";
import IconButton from "@mui/material/IconButton";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useController, useFormContext } from "react-hook-form";
import { listName } from "../../design/composeAddress";
import type { Audience } from "./audience";

export function EarlierLists() {
  const { control } = useFormContext<Audience>();
  const { field } = useController({ name: "audience", control });
  if (field.value.length === 0) return null;
  return (
    <Stack component="ul" aria-label="Earlier lists" sx={{ listStyle: "none", p: 0, m: 0, mt: 1, gap: 0.5 }}>
      {field.value.map((list) => (
        <Stack component="li" key={list} sx={{ flexDirection: "row", alignItems: "center", gap: 1 }}>
          <HistoryOutlined fontSize="small" sx={{ color: "text.secondary" }} />
          <Typography
            variant="body2"
            sx={{ fontWeight: 600, flex: 1, minWidth: 0, overflowWrap: "anywhere" }}
          >
            {listName(list) ?? list}
          </Typography>
          <IconButton
            size="small"
            aria-label={`Remove ${listName(list) ?? list}`}
            onClick={() => field.onChange(field.value.filter((it) => it !== list))}
          >
            <CloseOutlined fontSize="small" />
          </IconButton>
        </Stack>
      ))}
    </Stack>
  );
}
