//! What codes of six digits are for.

words! {
    /// What a code is for. A code of one purpose is none of another.
    CodePurpose {
        /// Proves the number of a registration.
        Register = "register",
        /// Proves the address at the first sign-in.
        SignIn = "sign_in",
        /// Lets a new password be set.
        Reset = "reset",
        /// Proves a new address.
        Email = "email",
        /// Proves a new number.
        Phone = "phone",
        /// Proves a phone as a caller id.
        OwnNumber = "own_number",
    }
}
