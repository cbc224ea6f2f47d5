// The filters of a list: beside its search where there is room, and on a phone in a sheet, so that rows come first.
import TuneOutlined from "@mui/icons-material/TuneOutlined";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import Stack from "@mui/material/Stack";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { type ReactNode, useId, useState } from "react";

interface Props {
  /** How many filters are set: said on the button, as they are out of sight. */
  active: number;
  children: ReactNode;
}

/** Whether rows are drawn as for a phone; the same width as `STACKED`'s. */
export function usePhone(): boolean {
  return useMediaQuery("(max-width: 639.95px)", { noSsr: true });
}

export function FilterSheet({ active, children }: Props) {
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!phone) return <>{children}</>;
  return (
    <>
      <Button
        variant="outlined"
        size="small"
        startIcon={<TuneOutlined />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ alignSelf: "flex-start" }}
      >
        {active > 0 ? `Filters (${active})` : "Filters"}
      </Button>
      <Drawer
        anchor="bottom"
        open={open}
        onClose={() => setOpen(false)}
        slotProps={{
          paper: {
            role: "dialog",
            "aria-labelledby": id,
            sx: { borderRadius: "16px 16px 0 0", maxHeight: "85vh" },
          },
        }}
      >
        <Stack sx={{ gap: 2, p: 2.5, pb: 3 }}>
          <Typography variant="h2" id={id}>
            Filters
          </Typography>
          {children}
          <Button variant="contained" fullWidth onClick={() => setOpen(false)}>
            Show the list
          </Button>
        </Stack>
      </Drawer>
    </>
  );
}
