// Several users disabled or activated at once: each is a change of its own in the audit trail.
import Block from "@mui/icons-material/BlockOutlined";
import Check from "@mui/icons-material/CheckOutlined";
import { useDataProvider, useListContext } from "react-admin";
import { type User, useSession } from "../../api/session";
import type { TalkdrumProvider } from "../dataProvider";
import { BulkAction } from "../list/bulk";

const some = (count: number) => (count === 1 ? "1 user" : `${count.toLocaleString("en")} users`);
const names = (rows: readonly User[]) => rows.map((it) => it.username).join(", ");

export function BulkUserStatus() {
  const provider = useDataProvider<TalkdrumProvider>();
  const me = useSession()?.user.id;
  const { filterValues } = useListContext();
  if (filterValues?.status === "inactive") {
    return (
      <BulkAction<User>
        key="activate"
        label="Activate"
        icon={<Check />}
        can={(row) => row.status === "inactive"}
        each={(row) => provider.act("manage-users", "activate", { id: row.id, data: undefined })}
        title={(count) => `Activate ${some(count)}?`}
        body={(rows) => (
          <>
            They can send and pay again. Campaigns that were paused wait until they are resumed: {names(rows)}
            .
          </>
        )}
        said={(count) => `${some(count)} activated`}
      />
    );
  }
  return (
    <BulkAction<User>
      key="disable"
      label="Disable"
      icon={<Block />}
      danger
      // Administrators cannot deactivate themselves in a bulk action.
      can={(row) => row.status === "active" && row.id !== me}
      each={(row) => provider.act("manage-users", "deactivate", { id: row.id, data: undefined })}
      title={(count) => `Disable ${some(count)}?`}
      body={(rows) => (
        <>
          They still sign in and read, but start no send, payment or transfer. Their campaigns that are
          scheduled or sending pause, and payments under way still settle. Activate undoes it: {names(rows)}.
        </>
      )}
      said={(count) => `${some(count)} disabled`}
    />
  );
}
