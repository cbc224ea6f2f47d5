import { CreditForm } from "./CreditForm";

export default function AssignEspees() {
  return <CreditForm currency="espees" />;
}
