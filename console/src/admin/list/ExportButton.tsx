// A list as a file: all that fits the filters, page by page, up to a bound that is said.
import Download from "@mui/icons-material/FileDownloadOutlined";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
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
      const { csvOf } = await import("./csv");
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
