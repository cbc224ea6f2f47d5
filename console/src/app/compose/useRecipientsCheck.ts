// What the daemon understands of files, earlier lists, groups and the text together, before there is a price: numbers twice in two of them
// are counted once, and opt-outs are known. Files above a size are counted in the quote alone, so that they travel once.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, asForm, ask } from "../../api/client";
import { own } from "../../api/queries";
import type { components } from "../../api/schema";
import type { Audience } from "./audience";
import { identity } from "./merge";

export type Checked = components["schemas"]["RecipientsCheck"];

const BYTES_MAX = 20_000_000;
/** After the last key stroke. */
const PAUSE_MS = 800;

/** Only with files or earlier lists: what is typed and the sizes of groups the page knows by itself. `isPriced`: always, as
 * what they cost by where they go the daemon alone knows. */
export function useRecipientsCheck(
  text: string,
  { groups, audience, purpose }: Pick<Audience, "groups" | "audience" | "purpose">,
  files: readonly File[],
  columns: readonly string[],
  isPriced = false,
) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const form = JSON.stringify([text, groups, audience, purpose, files.map((it) => identity(it)), columns]);
  const [settled, setSettled] = useState(form);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(form), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [form]);
  const asks = files.length + audience.length > 0 || (isPriced && (text.trim() !== "" || groups.length > 0));
  const wanted = asks && bytes <= BYTES_MAX;
  const { data, isFetching, isError, error } = useQuery({
    queryKey: own("compose", "check", settled),
    queryFn: ({ signal }) => {
      const parts = {
        contacts: text.trim() ? text : undefined,
        groups,
        audience,
        // Which opt-outs hold.
        purpose: purpose || undefined,
        file: files,
        column: columns,
      };
      return ask(
        api.POST("/api/recipients/check", { body: {}, bodySerializer: () => asForm(parts), signal }),
      );
    },
    enabled: wanted && settled === form,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const known = wanted && settled === form && !isFetching;
  return {
    /** Whether the daemon counts them, here or in the quote. */
    asks,
    checked: known ? data : undefined,
    checking: wanted && !known && !isError,
    checkFailure: wanted ? error : null,
  };
}
