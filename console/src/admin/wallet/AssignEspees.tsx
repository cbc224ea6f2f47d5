import { CreditForm } from "./Assign";

export default function AssignEspees() {
  return <CreditForm currency="espees" />;
}
