// What the pages of reports read, and the CSV they hand out.
import { api, ask, download } from "../../api/client";
import { own } from "../../api/queries";

export const REPORT_FILE = "delivery_reports.csv";

export interface ReportFilter {
  type?: string;
  from?: string;
  to?: string;
  q?: string;
}

export function historyKey(query: object): readonly unknown[] {
  return own("campaigns", "history", query);
}

export async function history(query: ReportFilter & { page: number; per_page: number }) {
  const { campaigns, total } = await ask(api.GET("/api/get-campaign-history", { params: { query } }));
  return { rows: campaigns, total };
}

export function saveReport(id: number): Promise<void> {
  return download(
    api.GET("/api/campaigns/{id}/export", { params: { path: { id } }, parseAs: "blob" }),
    REPORT_FILE,
  );
}

/** The reports of all campaigns that were asked for as one file, made by the daemon. */
export function saveReports({ type, from, to }: ReportFilter): Promise<void> {
  const query = { type, from, to };
  return download(
    api.GET("/api/delivery-reports/export", { params: { query }, parseAs: "blob" }),
    REPORT_FILE,
  );
}
