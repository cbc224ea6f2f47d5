-- New phone numbers are proven before they count; API keys may end by themselves.

ALTER TABLE codes DROP CONSTRAINT codes_purpose_check;
ALTER TABLE codes ADD CONSTRAINT codes_purpose_check
    CHECK (purpose IN ('register', 'sign_in', 'reset', 'email', 'phone'));

-- A new number waits here until the code sent to it comes back.
CREATE TABLE phone_changes (
    user_id      BIGINT PRIMARY KEY REFERENCES users (id),
    phone_number TEXT   NOT NULL, -- digits of E.164
    created_at   BIGINT NOT NULL
);

ALTER TABLE api_keys ADD COLUMN expires_at BIGINT; -- refused from then on; NULL: never
