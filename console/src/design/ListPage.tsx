// A page that is one list: heading, what stands above the list, its rows, and what to do where there are none.
import type { ComponentProps, ReactNode } from "react";
import { DataTable } from "./DataTable";
import { PageHeader } from "./PageHeader";
import { EmptyState } from "./states";

interface Row {
  id: string | number;
}

interface Props<R extends Row>
  extends Pick<ComponentProps<typeof PageHeader>, "title" | "text" | "actions">,
    Pick<
      ComponentProps<typeof DataTable<R>>,
      "label" | "columns" | "result" | "state" | "failure" | "toolbar"
    > {
  /** Where there is no row. */
  empty: ComponentProps<typeof EmptyState>;
  /** Between the heading and the list. */
  above?: ReactNode;
  /** Dialogs. */
  children?: ReactNode;
}

export function ListPage<R extends Row>({ title, text, actions, empty, above, children, ...list }: Props<R>) {
  return (
    <>
      <PageHeader title={title} text={text} actions={actions} />
      {above}
      <DataTable<R> {...list} rowKey={(row) => row.id} empty={<EmptyState {...empty} />} />
      {children}
    </>
  );
}
