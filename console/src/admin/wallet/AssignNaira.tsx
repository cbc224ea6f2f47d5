import { CreditForm } from "./Assign";

export default function AssignNaira() {
  return <CreditForm currency="naira" />;
}
