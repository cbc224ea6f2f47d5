// A group of a menu: its title folds it away.
import ExpandMore from "@mui/icons-material/ExpandMore";
import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import Collapse from "@mui/material/Collapse";
import List from "@mui/material/List";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";

interface Props {
  title: string;
  open: boolean;
  onFold: () => void;
  children: ReactNode;
}

export function MenuGroup({ title, open, onFold, children }: Props) {
  return (
    <Box role="group" aria-label={title} sx={{ mt: 1 }}>
      <Typography component="h2">
        <ButtonBase
          aria-expanded={open}
          onClick={onFold}
          sx={{
            width: "100%",
            justifyContent: "space-between",
            px: 1.5,
            py: 0.5,
            borderRadius: 1,
            fontFamily: "inherit",
            fontSize: "0.75rem",
            fontWeight: 650,
            color: "text.secondary",
          }}
        >
          {title}
          <ExpandMore
            fontSize="small"
            sx={{ transform: open ? "none" : "rotate(-90deg)", transition: "transform 150ms" }}
          />
        </ButtonBase>
      </Typography>
      <Collapse in={open} unmountOnExit>
        <List disablePadding>{children}</List>
      </Collapse>
    </Box>
  );
}
