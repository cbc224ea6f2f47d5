import { Assign } from "./Assign";

export default function AssignNaira() {
  return <Assign currency="naira" />;
}
