use axum::body::Body;

use super::*;
use crate::testing::TestDaemon;

#[derive(RustEmbed)]
#[folder = "tests/pages"]
struct Fixture;

const BROWSER: [(&str, &str); 2] =
    [("accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("accept-encoding", "gzip, deflate, br")];

fn ask(method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = axum::http::Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(&request.body(Body::empty()).unwrap(), "https://sms.example.com", Fixture::get)
}

fn header(response: &Response, name: &str) -> String {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

async fn text(response: Response) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn every_address_of_a_page_is_the_index_and_every_file_itself() {
    for path in ["/", "/dashboard/compose-sms", "/dashboard/admin/manage-users/user/7", "/administer"] {
        let page = ask("GET", path, &BROWSER[..1]);
        assert_eq!(page.status(), 200, "{path}");
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&page, "cache-control"), "no-cache");
        let policy = header(&page, "content-security-policy");
        assert!(policy.starts_with("default-src 'self'"), "{policy}");
        assert!(policy.contains("; form-action 'self';"), "{policy}");
        assert!(text(page).await.contains("<title>Fixture</title>"));
    }
    let script = ask("GET", "/assets/app-1a2b.js", &[("accept", "*/*")]);
    assert_eq!(header(&script, "content-type"), "text/javascript; charset=utf-8");
    assert!(header(&script, "cache-control").contains("immutable"));
    assert_eq!(text(script).await, "plain\n");
    // Too small to be worth packing.
    assert_eq!(text(ask("GET", "/robots.txt", &BROWSER[1..])).await, "User-agent: *\n");
}

#[tokio::test]
async fn a_folder_is_its_index() {
    for path in ["/handbook", "/handbook/", "/handbook/index.html"] {
        assert!(text(ask("GET", path, &BROWSER[..1])).await.contains("<title>Handbook</title>"), "{path}");
    }
}

#[tokio::test]
async fn a_preview_of_a_link_finds_the_picture_by_its_whole_address() {
    let whole = "<meta property=\"og:image\" content=\"https://sms.example.com/preview.jpg\" />";
    assert!(text(ask("GET", "/pricing", &BROWSER[..1])).await.contains(whole));
    let packed = ask("GET", "/", &BROWSER);
    assert_eq!(header(&packed, "content-encoding"), "gzip");
    let packed = axum::body::to_bytes(packed.into_body(), 1 << 20).await.unwrap();
    assert!(String::from_utf8(unpacked(&packed).unwrap()).unwrap().contains(whole));
    assert!(include_str!("../../../console/index.html").contains(PREVIEW), "the page that is built says so");
}

#[tokio::test]
async fn who_asks_for_nothing_in_particular_gets_the_page() {
    for accept in
        [None, Some("*/*"), Some("text/*, */*;q=0.1"), Some("application/json, text/html"), Some("")]
    {
        let headers: Vec<_> = accept.map(|accept| ("accept", accept)).into_iter().collect();
        for path in ["/", "/pricing", "/dashboard/compose-sms"] {
            for method in ["GET", "HEAD"] {
                let page = ask(method, path, &headers);
                assert_eq!(page.status(), 200, "{method} {path} {accept:?}");
                assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8");
            }
        }
    }
}

#[tokio::test]
async fn the_smallest_form_that_the_browser_takes_is_sent() {
    for (offer, encoding, body) in [
        ("gzip, deflate, br", "br", Some(&b"brotli\n"[..])),
        ("gzip, br;q=0", "gzip", None),
        ("br;q=0.0, gzip;q=0", "", Some(b"plain\n")),
        ("", "", Some(b"plain\n")),
    ] {
        let script = ask("GET", "/assets/app-1a2b.js", &[("accept-encoding", offer)]);
        assert_eq!(header(&script, "content-encoding"), encoding, "{offer}");
        assert_eq!(header(&script, "vary"), "Accept, Accept-Encoding");
        let packed = Fixture::get("assets/app-1a2b.js.gz").unwrap().data;
        let sent = axum::body::to_bytes(script.into_body(), 1 << 20).await.unwrap();
        assert_eq!(&*sent, body.unwrap_or(&packed), "{offer}");
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let etag = header(&ask("GET", "/", &BROWSER), "etag");
    let again = ask("GET", "/", &[BROWSER[0], ("if-none-match", &etag)]);
    assert_eq!(again.status(), 304);
    assert_eq!(header(&again, "cache-control"), "no-cache");
    assert_eq!(text(again).await, "");
    assert_eq!(ask("GET", "/", &[BROWSER[0], ("if-none-match", "W/\"other\"")]).status(), 200);
}

#[test]
fn what_belongs_to_the_api_is_never_a_page() {
    for path in ["/api/no-such-call", "/admin/no-such-call", "/api", "/hooks/x", "/sandbox/x", "/metrics/x"] {
        assert_eq!(ask("GET", path, &BROWSER).status(), 404, "{path}");
    }
    assert_eq!(ask("POST", "/dashboard", &BROWSER).status(), 404);
    // A client that wants JSON mistyped an address.
    for json in [
        "application/json",
        "application/problem+json",
        "application/json, text/plain, */*",
        "*/*, application/json;q=0.1",
    ] {
        let nothing = ask("GET", "/ap/login", &[("accept", json)]);
        assert_eq!(nothing.status(), 404, "{json}");
        assert_eq!(header(&nothing, "content-type"), "application/problem+json");
    }
    for path in ["/api/no-such-call", "/admin/x"] {
        assert_eq!(ask("GET", path, &[("accept", "*/*")]).status(), 404, "{path}");
    }
    assert_eq!(ask("GET", "/assets/gone-3c4d.js", &[("accept", "*/*")]).status(), 404);
    assert_eq!(ask("GET", "/.vite/manifest.json", &[("accept", "*/*")]).status(), 404);
}

#[tokio::test]
async fn the_daemon_serves_them_beside_its_api() {
    let daemon = TestDaemon::start().await;
    let browse = |path: &str| daemon.request(reqwest::Method::GET, path, "").header("accept", "text/html");
    let page = daemon.send(browse("/dashboard")).await;
    // These tests pass with and without pages that were built before.
    let is_served = page.status == 200 && page.headers.contains_key("content-security-policy");
    assert!(is_served || (page.status == 404 && page.text.contains("make build")), "{}", page.text);
    let call = daemon.send(browse("/api/no-such-call")).await;
    assert_eq!(call.status, 404);
    assert_eq!(call.headers["content-type"], "application/problem+json");
    daemon.stop().await;
}
