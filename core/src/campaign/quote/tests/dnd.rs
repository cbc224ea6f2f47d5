//! Numbers on the Do-Not-Disturb list.

use super::*;
use crate::phone::Msisdn;
use crate::routing::dnd::{Import, import};

both_databases! {
    async fn numbers_not_to_be_disturbed_are_counted_among_the_rejects_and_cost_nothing(store: Store) {
        let route =
            RouteConfig { carrier: "main".into(), dnd: Some("refuse".into()), ..RouteConfig::default() };
        let fixture = Fixture::with_routes(&store, "100", &[route_carrier("main")], &[route]).await;
        let listed = Import {
            numbers: vec![Msisdn::from_digits(2_348_031_234_567).unwrap()],
            replace: false,
            allow_shrink: false,
            by: fixture.user,
            claim: None,
        };
        import(&store, listed, NOW).await.unwrap();
        let quote = fixture.quote("Sale", "08031234567, 08031234568, x").await;
        assert_eq!((quote.total_contacts, quote.total_invalid, quote.total_dnd), (1, 2, 1));
        assert_eq!((&*quote.rejects[0].code, quote.total_charges), ("dnd", "2.5".parse().unwrap()));
    }
}
