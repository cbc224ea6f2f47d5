// A list as a file: all that fits the filters, page by page, up to a bound that is said.
import Download from "@mui/icons-material/FileDownloadOutlined";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import Papa from "papaparse";
import { type RaRecord, useDataProvider, useListContext } from "react-admin";
import { saveFile } from "../../api/client";
import { messageOf } from "../../api/problem";
import { toast } from "../../design/toasts";
import type { TalkdrumProvider } from "../dataProvider";

const AT_ONCE = 1000;
export const EXPORT_MOST = 50_000;

export function ExportButton() {
  const { resource, sort, filter, filterValues, total } = useListContext();
  const provider = useDataProvider<TalkdrumProvider>();
  const exporting = useMutation({
    mutationFn: async () => {
      const found: RaRecord[] = [];
      let all = 0;
      for (let page = 1; found.length < EXPORT_MOST; page++) {
        const answer = await provider.getList(resource, {
          pagination: { page, perPage: AT_ONCE },
          sort,
          filter: { ...filterValues, ...filter },
        });
        all = answer.total ?? 0;
        found.push(...answer.data);
        if (answer.data.length < AT_ONCE || found.length >= all) break;
      }
      saveFile(new Blob([csvOf(found)], { type: "text/csv;charset=utf-8" }), `${resource}.csv`);
      return { rows: found.length, all };
    },
    onSuccess: ({ rows, all }) => {
      const counted = `${rows.toLocaleString("en")} rows`;
      if (rows < all)
        toast.info(`The file has the first ${counted} of ${all.toLocaleString("en")}. Filter for the rest.`);
      else toast.success(`The file has ${counted}.`);
    },
    onError: (problem) => toast.error(messageOf(problem)),
  });
  return (
    <Button
      variant="outlined"
      startIcon={<Download />}
      loading={exporting.isPending}
      disabled={!total}
      onClick={() => exporting.mutate()}
    >
      Export
    </Button>
  );
}

/** One column a field; fields that hold lists or records are left out. A spreadsheet runs nothing of it. */
export function csvOf(rows: readonly RaRecord[]): string {
  const columns = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((key) => typeof row[key] !== "object"))),
  ];
  return Papa.unparse(
    { fields: columns.map(harmless), data: rows.map((row) => columns.map((key) => cellOf(row[key]))) },
    { quotes: (value) => String(value).includes(";") },
  );
}

/** A number is no formula, whatever its sign. */
function cellOf(value: unknown): string | number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return harmless(String(value ?? ""));
}

/**
 * A text with an apostrophe before all that a spreadsheet would take for the start of a formula; the daemon does
 * the same to its files (core/api/src/spreadsheet.rs). A cell may begin at the start, and after a semicolon or a
 * line end: spreadsheets that part cells at semicolons do not see our quotes. Quotes may stand between.
 */
function harmless(text: string): string {
  return text.replace(/(^|;)"*(?=\r)/g, "$&'").replace(/(^|[;\r\n])"*(?=[=+\-@\t])/g, "$&'");
}
