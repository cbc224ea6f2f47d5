// One carrier, with a trace of its traffic.

import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router-dom";
import { PageHeader } from "../../design/PageHeader";
import { ErrorState, PageSkeleton } from "../../design/states";
import { addressOf } from "../address";
import { NotFound } from "../layout/NotFound";
import { CarrierCard } from "./CarrierCard";
import { carriersQuery, isTrunk } from "./carrier";
import { PduTrace } from "./PduTrace";

export default function CarrierPage() {
  const { id: name = "" } = useParams();
  const { data, error, refetch } = useQuery(carriersQuery());
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton />;
  const carrier = data.carriers.find((it) => it.name === name);
  if (!carrier) return <NotFound />;
  return (
    <>
      <PageHeader
        title={`Carrier ${carrier.name}`}
        back={{ to: addressOf("carriers"), label: "All carriers" }}
      />
      <CarrierCard carrier={carrier} all={data.carriers} alone />
      {!isTrunk(carrier) && <PduTrace carrier={carrier} />}
    </>
  );
}
