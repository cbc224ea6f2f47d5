// What react-admin says of its forms, such as that a field is missing: it does not tell of which. One of them that is saved
// ends it.
import { toastsOf } from "../../design/toasts";

export const formToasts = toastsOf({});
