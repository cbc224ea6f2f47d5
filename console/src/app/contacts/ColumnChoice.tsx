// The first rows of a file with a choice above each column: what it is.
// biome-ignore-all lint/suspicious/noArrayIndexKey: columns and rows of a file are what stands at their places
import Box from "@mui/material/Box";
import Table from "@mui/material/Table";
import TableBody from "@mui/material/TableBody";
import TableCell from "@mui/material/TableCell";
import TableHead from "@mui/material/TableHead";
import TableRow from "@mui/material/TableRow";
import Typography from "@mui/material/Typography";
import { Choice } from "../../design/Choice";
import { assign, type Preview, type Role } from "./filePreview";

const ROLES = [
  ["phone", "Phone number"],
  ["name", "Name"],
  ["email", "Email"],
  ["field", "Merge field"],
  ["ignore", "Leave out"],
] as const;

interface Props {
  preview: Preview;
  roles: readonly Role[];
  onRoles: (roles: Role[]) => void;
}

export function ColumnChoice({ preview, roles, onRoles }: Props) {
  const { titles, rows } = preview;
  return (
    <Box>
      <Typography variant="h3" component="h2" sx={{ mb: 0.5 }}>
        {titles.length > 0 ? "Which column is what?" : "The first rows"}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        {titles.length > 0
          ? "Merge fields can be used in messages, as {city}. Only the first rows are shown."
          : "The file has no titles. Numbers are found wherever they are; names and emails beside them are taken."}
      </Typography>
      <Box
        sx={{ overflowX: "auto", border: 1, borderColor: "divider", borderRadius: 1 }}
        tabIndex={0}
        role="region"
        aria-label="First rows of the file"
      >
        <Table size="small">
          {titles.length > 0 && (
            <TableHead>
              <TableRow>
                {titles.map((title, at) => (
                  <TableCell key={at} sx={{ minWidth: 180, verticalAlign: "top" }}>
                    <Box sx={{ mb: 1, overflowWrap: "anywhere" }}>{title}</Box>
                    <Choice
                      label={`${title} is`}
                      value={roles[at] ?? "field"}
                      options={ROLES}
                      onChange={(role) => onRoles(assign(roles, at, role as Role))}
                    />
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
          )}
          <TableBody>
            {rows.map((row, at) => (
              <TableRow key={at}>
                {(titles.length > 0 ? titles : row).map((_, place) => (
                  <TableCell
                    key={place}
                    sx={{
                      color: roles[place] === "ignore" ? "text.secondary" : undefined,
                      textDecoration: roles[place] === "ignore" ? "line-through" : undefined,
                      maxWidth: 220,
                      overflowWrap: "anywhere",
                    }}
                  >
                    {row[place]}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Box>
  );
}
