import { BooleanInput, CreateBase, PasswordInput, SelectInput, TextInput } from "react-admin";
import { useNavigate } from "react-router-dom";
import type { User } from "../../api/session";
import { toast } from "../../design/toasts";
import { ADMIN, userAddress } from "../address";
import { FormPage } from "../form/FormPage";
import { required } from "../form/validate";

const ROLES = [
  { id: "user", name: "Customer" },
  { id: "admin", name: "Administrator: may change everything here" },
];

export default function UserCreate() {
  const navigate = useNavigate();
  return (
    <CreateBase
      resource="manage-users"
      mutationOptions={{
        onSuccess: (user: User) => {
          toast.success(`${user.username} can sign in now`);
          navigate(userAddress(user.id));
        },
      }}
      record={{ role: "user", email_verified: true }}
    >
      <FormPage
        title="New user"
        text="For a person who cannot sign up alone. Hand over the password safely: it is not shown again."
        save="Create user"
        back={{ to: `${ADMIN}/manage-users`, label: "All users" }}
      >
        <TextInput source="name" label="Name" fullWidth validate={required("Name is required")} />
        <TextInput
          source="username"
          label="Username"
          fullWidth
          validate={required("Username is required")}
          helperText="3 to 32 letters, digits, dots, dashes or underscores."
        />
        <TextInput
          source="email"
          label="Email"
          type="email"
          fullWidth
          validate={required("Email is required")}
        />
        <TextInput
          source="phone_number"
          label="Phone number"
          type="tel"
          fullWidth
          helperText="Such as 0803 123 4567."
        />
        <PasswordInput
          source="password"
          label="Password"
          fullWidth
          autoComplete="new-password"
          validate={required("Password is required")}
          helperText="At least 8 characters."
        />
        <SelectInput
          source="role"
          label="Role"
          choices={ROLES}
          fullWidth
          validate={required("Role is required")}
        />
        <BooleanInput
          source="email_verified"
          label="Mark e-mail as verified"
          helperText="Otherwise the first sign-in asks for a code sent to it."
        />
      </FormPage>
    </CreateBase>
  );
}
