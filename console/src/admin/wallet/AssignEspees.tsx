import { Assign } from "./Assign";

export default function AssignEspees() {
  return <Assign currency="espees" />;
}
