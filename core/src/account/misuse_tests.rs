//! What strangers and borrowed sessions try with codes and alerts, on both databases.

use super::identity_tests::{House, MINUTE, RESET, from};
use super::tests::origin;
use super::{ProfileForm, Reset, SignIn};
use crate::both_databases;
use crate::notice::Channel;

both_databases! {
    async fn a_code_sent_to_an_address_is_worth_nothing_after_the_address_was_changed(store: Store) {
        let house = House::new(&store);
        let id = house.unproven().await;
        let SignIn::EmailUnverified { user } = house.sign_in("correct horse").await else { panic!("no code") };
        house.identity.send_sign_in_code(&user, &from("127.0.0.1")).await.unwrap();
        let sign_in_code = house.code(Channel::Email).await;
        house.pass(MINUTE);
        house.identity.forgot_password("ada@example.com", &from("127.0.0.1")).await.unwrap();
        let reset_code = house.code(Channel::Email).await;
        let form = ProfileForm { email: Some("new@example.com".into()), ..ProfileForm::default() };
        house.identity.edit_profile(id, form, &from("127.0.0.1"), None).await.unwrap();
        house.identity.confirm_email(id, &house.code(Channel::Email).await).await.unwrap();
        for email in ["new@example.com", "ada@example.com"] {
            let reset = house.identity.reset_password(Reset { email, code: &reset_code, ..RESET }).await;
            assert_eq!(reset.unwrap_err().code(), "code_wrong", "{email}");
        }
        let signed_in = house.identity.verify_email("ada", &sign_in_code, &origin()).await;
        assert_eq!(signed_in.map(|_| ()).unwrap_err().code(), "code_wrong");
        assert!(matches!(house.sign_in("correct horse").await, SignIn::Accepted { .. }), "the password is as it was");
    }
}
