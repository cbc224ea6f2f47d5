//! When a campaign starts and ends.

use super::*;
use crate::model::campaign::id::QuoteId;
use crate::routing::quiet_hours::QuietHours;

both_databases! {
    async fn several_times_are_several_runs_and_each_is_paid(store: Store) {
        let fixture = Fixture::open(&store, "100").await;
        let later = |hours: u64| NOW + Duration::from_secs(hours * 3600);
        let mut form = fixture.form("Hello", "08031234567");
        form.times = Ok(vec![later(2), later(1), later(2)]);
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!(quote.starts, [later(1).to_rfc3339(), later(2).to_rfc3339()]);
        assert_eq!((quote.charges_per_run, quote.total_charges), ("2.5".parse().unwrap(), "5".parse().unwrap()));
        assert_eq!(quote.estimated_finish, Some((later(2) + Duration::from_millis(1)).to_rfc3339()));
        let again = fixture.campaigns.find_quote(fixture.user, QuoteId(quote.quote_id)).await.unwrap();
        assert_eq!(again.total_charges, quote.total_charges);
    }

    async fn what_does_not_end_before_the_quiet_hours_ends_after_them_and_says_so(store: Store) {
        let route = RouteConfig { carrier: "main".into(), promotional: true, ..RouteConfig::default() };
        let slow = RouteCarrier { rate: 1, ..route_carrier("main") };
        let mut fixture = Fixture::with_routes(&store, "100", &[slow], &[route]).await;
        fixture.campaigns.hours = QuietHours::new("20:00", "08:00", "Africa/Lagos").unwrap().map(Arc::new);
        let mut form = fixture.form("Sale", "08031234567 08031234568 08031234569");
        // A second before the quiet hours.
        form.times = Ok(vec![NOW + Duration::from_secs(74_799)]);
        let quote = fixture.campaigns.quote(form).await.unwrap();
        assert_eq!(quote.estimated_finish.as_deref(), Some("2023-11-16T07:00:02.000Z"));
        let says = "Sending takes about 1 min, and 1 min are left before the quiet hours: the rest goes on the next day";
        assert_eq!(quote.notices, [says]);
    }
}
