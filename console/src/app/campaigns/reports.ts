// What the pages of reports read, and the CSV they hand out.
import { api, ask, download, saveFile } from "../../api/client";
import { own } from "../../api/queries";
import type { Campaign } from "./outcomes";

export const REPORT_FILE = "delivery_reports.csv";

/** Campaigns whose reports are joined in one file. Above it a person narrows the period. */
export const JOINED_MAX = 100;

export interface Which {
  type?: string;
  from?: string;
  to?: string;
  q?: string;
}

export function historyKey(query: object): readonly unknown[] {
  return own("campaigns", "history", query);
}

export async function history(query: Which & { page: number; per_page: number }) {
  const { campaigns, total } = await ask(api.GET("/api/get-campaign-history", { params: { query } }));
  return { rows: campaigns, total };
}

/** One campaign's report, line by line as the daemon made it. */
export function report(id: number): Promise<Blob> {
  return ask(api.GET("/api/campaigns/{id}/export", { params: { path: { id } }, parseAs: "blob" }));
}

export function saveReport(id: number): Promise<void> {
  return download(
    api.GET("/api/campaigns/{id}/export", { params: { path: { id } }, parseAs: "blob" }),
    REPORT_FILE,
  );
}

/** The reports of all campaigns that were asked for as one file, the newest campaign first. */
export async function saveReports(which: Which, onRead: (done: number, of: number) => void): Promise<void> {
  const { rows } = await history({ ...which, page: 1, per_page: JOINED_MAX });
  const pieces: Blob[] = [];
  for (const [index, campaign] of rows.entries()) {
    onRead(index, rows.length);
    pieces.push(await body(campaign, index === 0));
  }
  saveFile(new Blob(pieces, { type: "text/csv" }), REPORT_FILE);
}

/** A report without its first line, but for the first of several. */
async function body(campaign: Campaign, first: boolean): Promise<Blob> {
  const blob = await report(campaign.id);
  if (first) return blob;
  const head = await blob.slice(0, 1_024).text();
  const end = head.indexOf("\n");
  // The header is ASCII: its characters are its bytes.
  return end < 0 ? new Blob() : blob.slice(end + 1);
}
