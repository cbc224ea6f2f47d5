import { CreditForm } from "./CreditForm";

export default function AssignNaira() {
  return <CreditForm currency="naira" />;
}
