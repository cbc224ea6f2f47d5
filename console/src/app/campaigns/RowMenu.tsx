// What can be done with a campaign from its row in a list.
import ContentCopyOutlined from "@mui/icons-material/ContentCopyOutlined";
import GroupsOutlined from "@mui/icons-material/GroupsOutlined";
import MoreVert from "@mui/icons-material/MoreVert";
import IconButton from "@mui/material/IconButton";
import ListItemIcon from "@mui/material/ListItemIcon";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { Link } from "react-router-dom";
import { composeAddress } from "../../design/composeAddress";

/** `kind`: its `sms_type`. */
export function RowMenu({ id, kind }: { id: number; kind: string }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More of campaign ${id}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVert fontSize="small" />
      </IconButton>
      {/* Within the page's landmark. */}
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        container={() => document.querySelector("main") ?? document.body}
      >
        <MenuItem component={Link} to={composeAddress(kind, { campaign: id })} onClick={close}>
          <ListItemIcon>
            <ContentCopyOutlined fontSize="small" />
          </ListItemIcon>
          Duplicate
        </MenuItem>
        <MenuItem
          component={Link}
          to={composeAddress(kind, { audience: [`campaign:${id}`] })}
          onClick={close}
        >
          <ListItemIcon>
            <GroupsOutlined fontSize="small" />
          </ListItemIcon>
          Send to its recipients
        </MenuItem>
      </Menu>
    </>
  );
}
