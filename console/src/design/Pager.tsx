import ChevronLeft from "@mui/icons-material/ChevronLeft";
import ChevronRight from "@mui/icons-material/ChevronRight";
import Button from "@mui/material/Button";
import FormControl from "@mui/material/FormControl";
import IconButton from "@mui/material/IconButton";
import NativeSelect from "@mui/material/NativeSelect";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import { useId } from "react";
import { usePhone } from "./FilterSheet";
import { PAGE_SIZES, PHONE, pagerItems, pagesOf } from "./pager";

interface Props {
  /** Where a page has several tables: what this one is of. */
  label?: string;
  page: number;
  perPage: number;
  total: number;
  onPage: (page: number) => void;
  onPerPage: (perPage: number) => void;
}

export function Pager({ label, page, perPage, total, onPage, onPerPage }: Props) {
  const id = useId();
  const phone = usePhone();
  const pages = pagesOf(total, perPage);
  const from = total === 0 ? 0 : (page - 1) * perPage + 1;
  const to = Math.min(total, page * perPage);
  const gaps = ["left", "right"];
  return (
    <Stack
      sx={{
        flexDirection: "row",
        flexWrap: "wrap",
        alignItems: "center",
        columnGap: { xs: 1, sm: 2 },
        rowGap: 1,
        px: { xs: 1.5, sm: 2 },
        py: { xs: 0.75, sm: 1.5 },
      }}
    >
      <Stack sx={{ flexDirection: "row", alignItems: "center", gap: 1, display: { xs: "none", sm: "flex" } }}>
        <Typography component="label" htmlFor={id} variant="body2" color="textSecondary">
          Rows
        </Typography>
        <FormControl>
          <NativeSelect
            inputProps={{ id }}
            value={perPage}
            onChange={(event) => onPerPage(Number(event.target.value))}
            sx={{ fontSize: "0.875rem" }}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </NativeSelect>
        </FormControl>
      </Stack>
      <Typography
        variant="body2"
        color="textSecondary"
        aria-live="polite"
        sx={{ flex: 1, minWidth: { xs: 90, sm: 110 } }}
      >
        {from.toLocaleString("en")}-{to.toLocaleString("en")} of {total.toLocaleString("en")}
      </Typography>
      <Stack
        component="nav"
        aria-label={label ? `Pages of ${label}` : "Pages"}
        sx={{ flexDirection: "row", alignItems: "center", gap: 0.25, flexWrap: "wrap" }}
      >
        <IconButton aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <ChevronLeft />
        </IconButton>
        {pagerItems(page, pages, phone ? PHONE : undefined).map((item) =>
          item === "gap" ? (
            <Typography key={`gap-${gaps.shift()}`} component="span" color="textSecondary" aria-hidden>
              …
            </Typography>
          ) : (
            <Button
              key={item}
              size="small"
              variant={item === page ? "contained" : "text"}
              color={item === page ? "primary" : "inherit"}
              aria-current={item === page ? "page" : undefined}
              aria-label={`Page ${item}`}
              onClick={() => onPage(item)}
              sx={{ minWidth: 36, px: 1 }}
            >
              {item}
            </Button>
          ),
        )}
        <IconButton aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          <ChevronRight />
        </IconButton>
      </Stack>
    </Stack>
  );
}
