// Unknown messages, oldest first: they may have been sent or not. They are never sent again automatically: an
// administrator decides here, for some or for a whole campaign.
import Gavel from "@mui/icons-material/GavelOutlined";
import Button from "@mui/material/Button";
import { useState } from "react";
import { NumberInput, TextInput, useGetOne, useListContext } from "react-admin";
import type { components } from "../../api/schema";
import { EmptyState } from "../../design/states";
import { type Message, messageColumns } from "../list/messageColumns";
import { ResourceList } from "../list/ResourceList";
import { Col, ResourceTable } from "../list/ResourceTable";
import { useSelectedRows } from "../list/selection";
import { SettleDialog } from "./SettleDialog";

type Campaign = components["schemas"]["Campaign"];

const COLUMNS = messageColumns();

const FILTERS = [
  <NumberInput key="campaign_id" source="campaign_id" label="Campaign" alwaysOn />,
  <TextInput key="user_id" source="user_id" label="User ID or name" />,
  <TextInput key="carrier" source="carrier" label="Carrier" />,
];

export default function UnknownList() {
  return (
    <ResourceList
      title="Unknown Messages"
      text="It is not known whether these messages were sent, or these calls answered: the carrier or the daemon fell silent before the answer. Their money stays reserved until they are settled."
      filters={FILTERS}
      actions={<SettleCampaign />}
      empty={
        <EmptyState
          title="No message is unknown"
          text="The outcome of every message and call is known. There is nothing to settle."
        />
      }
    >
      <ResourceTable label="Unknown messages" bulk={<SettleChosen />}>
        {COLUMNS.map((it) => (
          <Col<Message>
            key={it.key}
            source={it.key}
            label={it.label}
            align={it.align}
            actions={it.actions}
            cell={it.cell}
          />
        ))}
      </ResourceTable>
    </ResourceList>
  );
}

function SettleChosen() {
  const [open, setOpen] = useState(false);
  const rows = useSelectedRows<Message>();
  const { onUnselectItems } = useListContext();
  return (
    <>
      <Button size="small" startIcon={<Gavel />} disabled={rows.length === 0} onClick={() => setOpen(true)}>
        Settle
      </Button>
      {open && (
        <SettleDialog
          settled={{ rows }}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onUnselectItems();
          }}
        />
      )}
    </>
  );
}

/** All of the campaign that the list is filtered by. */
function SettleCampaign() {
  const [open, setOpen] = useState(false);
  const { filterValues, total } = useListContext();
  const campaign = Number(filterValues.campaign_id);
  const known = Number.isInteger(campaign) && campaign > 0;
  const { data } = useGetOne<Campaign>("campaign-history", { id: campaign }, { enabled: known });
  if (!known || !total) return null;
  return (
    <>
      <Button variant="contained" startIcon={<Gavel />} onClick={() => setOpen(true)}>
        Settle all of campaign #{campaign}
      </Button>
      {open && (
        <SettleDialog
          settled={{
            campaign,
            kind: data?.sms_type ?? "",
            count: data?.counts.unknown ?? total,
            reserved: data ? { value: data.reserved, currency: data.currency } : null,
          }}
          onClose={() => setOpen(false)}
          onDone={() => setOpen(false)}
        />
      )}
    </>
  );
}
