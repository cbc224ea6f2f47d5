// Made by `npm run types` from daemon/src/openapi.snap. Do not edit.

export interface paths {
    "/admin/about-us": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the pricing write-up. Its HTML is sanitised. */
        post: operations["set_about_us"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/activate-user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a user send and pay again. Campaigns that only the inactive account kept back go on, those whose time has passed
         *     at once. An administrator needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten
         *     minutes, and is reported to all administrators.
         */
        post: operations["activate_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/admin-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in as an administrator. */
        post: operations["admin_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/admin-send-sms-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Message one user or all, by text message and by KingsChat where an account is linked. It is given out in the
         *     background.
         */
        post: operations["send_user_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/announcements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One announcement. */
        get: operations["show_announcement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approve-senderid/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a user send from a sender id. Approving what is approved changes nothing. */
        post: operations["approve_sender_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approve-virtual-number/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Assign a virtual number to a user: to the oldest request, or without one. */
        post: operations["assign_virtual_number"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/assign-espee/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit a user's ESPEES wallet, for a payment that failed to. */
        post: operations["assign_espees"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/assign-naira/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Credit a user's Naira wallet, for a payment that failed to. */
        post: operations["assign_naira"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What administrators changed, newest first. `user_id` is the administrator; `action` and `subject` are exact; `from`
         *     and `to` are days, which count whole, or times; `q` searches everything.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carrier-tests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of a test message so far. */
        get: operations["show_carrier_test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The carriers: how their connections are, what waits at them, whether an administrator holds them. Every daemon shows
         *     the same: what the holder of a carrier saw is at most some seconds old.
         */
        get: operations["list_carriers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/breaker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let promotional messages to a network go out by a carrier although it delivered too few, or let them wait. What is closed
         *     opens again by itself where the carrier still delivers too few; what is opened tries by itself, after a while, whether it
         *     delivers. The daemon that holds the carrier obeys within about a second.
         */
        post: operations["order_breaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/drain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let what is claimed go out and nothing new be claimed. The carrier's state is `drained` when nothing of it is in
         *     flight any more.
         */
        post: operations["drain_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/hang-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a carrier of calls and hang up those that are up, by the daemon that has it, within about a second. A call that was
         *     answered is delivered, and charged for as long as it was up; one that was not waits until the carrier is resumed, or goes
         *     back to the carrier whose place this one took. A provider over HTTP ends calls only where `[carriers.cancel]` says how to ask.
         */
        post: operations["hang_up_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let new messages wait. What is on the wire is finished, receipts are taken, test messages go out. */
        post: operations["pause_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/reroute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move what is queued at a carrier that is paused, drained or not configured any more to another one. Nothing that may have
         *     been sent moves, prices and refunds stay as promised, and what the other carrier does not take stays. Asking twice
         *     moves what was left; under the same `Idempotency-Key` nothing more moves, unless the first try was cut off.
         */
        post: operations["reroute_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let messages go out again. */
        post: operations["resume_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one message over a carrier, in no campaign and charged to no account; also while the carrier is paused. Its answer
         *     and its receipt are waited for. At most ten a minute.
         */
        post: operations["test_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/{name}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last lines of a carrier's trace, at most 500, about a second behind the wire. */
        get: operations["show_carrier_trace"];
        put?: never;
        /**
         * Trace a carrier's traffic for a while: PDUs and exchanges, numbers masked, texts replaced by their length. It ends by
         *     itself.
         */
        post: operations["trace_carrier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/carriers/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have every daemon on the database read its configuration file again. Carriers and routes become those of the file:
         *     unchanged carriers go on untouched, changed ones drain and restart, removed ones drain and end. An error in the file
         *     of the daemon that is asked changes nothing anywhere; one elsewhere changes nothing there, and the answer says so. Waits
         *     some seconds for the others.
         */
        post: operations["reload_carriers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/contact-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the business's postal address. */
        post: operations["set_contact_address"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/contact-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the address that visitors write to. */
        post: operations["set_contact_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/contact-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the number that visitors call. */
        post: operations["set_contact_phone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/deactivate-user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a user from sending and paying, and end the user's sessions and API keys. The user can sign in again and read; an
         *     administrator then reads the own account only.
         */
        post: operations["deactivate_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/delete-own-number/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw a user's own number: no later call shows it, campaigns that call from it, or are to, pause, and its owner gets a notice. */
        delete: operations["delete_own_number"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/delete-user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user: signed out at once, keys revoked, campaigns cancelled and refunded. The ledger stays; the person's
         *     data goes as soon as nothing of theirs is in flight, and then name and address are free again.
         */
        delete: operations["delete_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/delete-virtual-number/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a virtual number, or a request for one, away: campaigns that are being sent from it pause. */
        delete: operations["delete_virtual_number"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/disable-maintenance-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let users and visitors in again. */
        post: operations["disable_maintenance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/disapprove-senderid/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse a sender id, or take it back: campaigns that are being sent from it pause. */
        post: operations["disapprove_sender_id"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/dnd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The numbers on the Do-Not-Disturb list, in order. */
        get: operations["list_dnd"];
        put?: never;
        /** Put numbers on the Do-Not-Disturb list. Quotes from then on respect it where their route does. */
        post: operations["import_dnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/enable-maintenance-mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep users and visitors out. Running campaigns go on. */
        post: operations["enable_maintenance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Traffic, money and what waits, of the last `hours` hours (1 to 168, 24 unless asked). Traffic is counted in the hour
         *     in which its campaign started and follows the receipts within seconds to an hour; money is the ledger's, ten
         *     seconds behind.
         */
        get: operations["show_figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/figures/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the figures of `/admin/figures` by server-sent events: `figures` at once and whenever something changed, with
         *     `Figures`.
         */
        get: operations["watch_figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-about-us": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The pricing write-up, sanitised HTML; open, as visitors need it. */
        get: operations["show_about_us"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-admin-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The administrator's own number. */
        get: operations["show_admin_number"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-all-active-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active users; `q` searches names, addresses and phone numbers. */
        get: operations["list_active_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-all-camapaign-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users' campaigns, newest first; `q` searches sender ids, texts and user names. */
        get: operations["list_all_campaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-all-inactive-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List inactive users; `q` searches names, addresses and phone numbers. */
        get: operations["list_inactive_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-all-sent-voice-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users' calls to many, newest first. */
        get: operations["list_all_sent_voice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-all-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users' transactions, newest first; of one user with `user_id` (an id or a user name). `q` searches references, narrations
         *     and user names.
         */
        get: operations["list_all_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-annoucement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All announcements, newest first. */
        get: operations["list_announcements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-contact-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The business's postal address; open, as visitors need it. */
        get: operations["show_contact_address"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-contact-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address that visitors write to; open, as visitors need it. */
        get: operations["show_contact_email"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-contact-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The number that visitors call; open, as visitors need it. */
        get: operations["show_contact_phone"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-espee-api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Our key at ESPEES, by its last four characters. */
        get: operations["show_espee_api_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-maintenance-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the platform is in maintenance; open, as pages of visitors ask. */
        get: operations["show_maintenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-own-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users' own numbers; `q` searches numbers and user names. */
        get: operations["list_all_own_numbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-own-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call from an own number costs in ESPEES. */
        get: operations["show_own_number_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-paystack-api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Our keys at Paystack, by their last four characters. */
        get: operations["show_paystack_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every price, with the version that `POST /admin/set-prices` takes as `expect`. */
        get: operations["list_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-sender-ids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users' sender ids; `q` searches sender ids and user names. */
        get: operations["list_all_sender_ids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-sms-api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key of SMS carriers, by its last four characters. */
        get: operations["show_sms_api_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-sms-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one page of a short message costs in ESPEES. */
        get: operations["show_sms_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-sms-unit-price-naira": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one page of a short message costs in Naira. */
        get: operations["show_sms_price_naira"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-user-details/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a user with the newest 100 campaigns, calls, sender ids, numbers and movements of money, and how many there
         *     are of each.
         */
        get: operations["show_user_details"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-virtual-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users' virtual numbers and requests for one; `q` searches numbers and user names. */
        get: operations["list_all_virtual_numbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-virtual-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call from a virtual number costs in ESPEES. */
        get: operations["show_virtual_number_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-voice-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call was set to cost in ESPEES. While it is not set, the price of a page serves. */
        get: operations["show_voice_price"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-voice-unit-price-naira": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call costs in Naira. */
        get: operations["show_voice_price_naira"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/get-wallet-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where ESPEES payments go. */
        get: operations["show_wallet_address"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/manage-annoucement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create, edit, activate, deactivate or delete an announcement. A new one is active. */
        post: operations["manage_announcement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/margins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What carriers were given, what customers paid for it, and what is left, by day, carrier and network. Traffic is
         *     counted half a minute behind the send.
         */
        get: operations["list_margins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/messages/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle messages of which it is not known whether they were sent. `resend` refunds them and answers a quote for sending
         *     them again, which an administrator or their owner confirms; the owner's wallet pays.
         */
        post: operations["resolve_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/optouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Numbers that opted out of all users' messages; `q` searches number and note. */
        get: operations["list_platform_optouts"];
        put?: never;
        /**
         * Opt a number out of all users' messages. One that is on the list already stays as it is, but that `all`
         *     replaces `promotional`.
         */
        post: operations["add_platform_optout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/optouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Let a number have messages again. */
        delete: operations["remove_platform_optout"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/optouts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The platform's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at, reach. */
        get: operations["export_platform_optouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/optouts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import opt-outs from all users' messages. Answers when it is done; with `background=1` at once. */
        post: operations["import_platform_optouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payment-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Refunds and disputes as the provider told of them, newest first. No money moves by them: a person decides. */
        get: operations["list_payment_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All users' payments, newest first; `q` searches references, narrations, labels and user names. Those in `mismatch`
         *     wait for a person: credit what is due under the payment's reference.
         */
        get: operations["list_all_payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payments/{id}/recheck": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the provider again what became of a payment, in whatever status it is; what was paid is credited. Safe to repeat. */
        post: operations["recheck_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/price-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of a price: who, when, before and after, newest first; `price` is the name of one of them. */
        get: operations["list_price_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/rate-costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look up what the carriers charge for messages to these destinations, before a rate is set for them. Nothing is changed. */
        post: operations["rate_costs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rates and the plans, each with what its carriers charge, and the version that `PUT /admin/rates` takes as `expect`. */
        get: operations["list_rates"];
        /**
         * Set all rates for all, all rate plans, or both, and prices with them if they are given; all or none. Quotes that stand
         *     keep theirs. Repeating the request changes nothing more.
         */
        put: operations["set_rates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sender-ids/{id}/purpose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or remove the default purpose of messages from a sender id: it holds where neither the request nor its API key says one.
         *     What was quoted stays as it is; other daemons may use the old default for five seconds. Repeating the request changes
         *     nothing more.
         */
        put: operations["set_sender_purpose"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-admin-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the administrator's own number. */
        post: operations["set_admin_number"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-espee-api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set our key at ESPEES. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten
         *     minutes; all administrators get an e-mail of it.
         */
        post: operations["set_espee_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-own-number-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one pulse of a call from an own number costs in ESPEES. */
        post: operations["set_own_number_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-paystack-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set our keys at Paystack, both at once. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within
         *     the last ten minutes; all administrators get an e-mail of it.
         */
        post: operations["set_paystack_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set several prices at once, all or none. Quotes that stand keep theirs. */
        post: operations["change_prices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-sms-abroad-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one page of a short message to a number outside Nigeria costs in ESPEES. While it is not set, such numbers are rejected. Quotes that stand keep their price. */
        post: operations["set_sms_abroad_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-sms-abroad-unit-price-naira": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one page of a short message to a number outside Nigeria costs in Naira. While it is not set, such numbers are rejected. Quotes that stand keep their price. */
        post: operations["set_sms_abroad_price_naira"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-sms-api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the key of SMS carriers that have none of their own in the configuration. Needs a session with a sign-in or
         *     `POST /api/sessions/reauthenticate` within the last ten minutes; all administrators get an e-mail of it.
         */
        post: operations["set_sms_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-sms-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one page of a short message costs in ESPEES. Quotes that stand keep their price. */
        post: operations["set_sms_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-sms-unit-price-naira": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one page of a short message costs in Naira. Quotes that stand keep their price. */
        post: operations["set_sms_price_naira"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-virtual-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one pulse of a call from a virtual number costs in ESPEES. */
        post: operations["set_virtual_number_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-voice-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one pulse of a call costs in ESPEES. While it is not set, the price of a page serves. */
        post: operations["set_voice_price"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-voice-unit-price-naira": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set what one pulse of a call costs in Naira. */
        post: operations["set_voice_price_naira"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/set-wallet-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set where ESPEES payments go. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten minutes; all administrators get an e-mail of it. */
        post: operations["set_wallet_address"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/subjects/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is held about a number over all users: how many rows of each table, and the first of them. It is in the audit trail,
         *     which names the last digits alone.
         */
        get: operations["show_subject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/subjects/{number}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a number: its contacts, what came from it, and its place in what was sent, which keeps status and price. Opt-outs are
         *     kept under a keyed digest. The call goes on for some seconds, and answers with `next` where there is more: call again with
         *     `from`. Doing it again changes nothing. It is in the audit trail, which names the last digits alone.
         * @description 409 `messages_open` while a message to the number may still go out, or is awaited.
         */
        post: operations["erase_subject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/subjects/{number}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is held about a number over all users, as JSON lines, streamed: first the number, then a line for each
         *     row with `table`, `class` and `row`; messages come last, each with its text, history and ledger entries, and then
         *     `{"complete": true}`. It is in the audit trail, which names the last digits alone.
         */
        get: operations["export_subject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/unknown-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages of all users that may or may not have been sent, oldest first. */
        get: operations["list_unknown_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/user-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List administrators' messages to users, newest first, with where they stand. */
        get: operations["list_user_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/user-messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a message to users, and a page of who gets it. */
        get: operations["show_user_message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List users, active and inactive; `q` searches names, addresses and phone numbers. */
        get: operations["list_users"];
        put?: never;
        /**
         * Make a user or an administrator. An administrator needs a session with a sign-in or `POST /api/sessions/reauthenticate`
         *     within the last ten minutes, and is reported to all administrators.
         */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Withdraw from a user the right to send codes (purpose `otp`), which no opt-out and no quiet hours stop, or give it back.
         *     Without it what is sent with that purpose is refused (`codes_not_allowed`), whether the request says it or a default, and every
         *     campaign of codes that has not ended pauses: also those that are scheduled. Given back, the user resumes them. Repeating the
         *     request changes nothing more.
         */
        put: operations["set_user_codes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put a user's data under a legal hold: retention erases nothing of it, a number that it names is not erased, and the account
         *     cannot be deleted (`legal_hold`). Of one that is under a hold the reason changes. Repeating the request changes nothing more.
         */
        put: operations["put_legal_hold"];
        post?: never;
        /** Lift the legal hold on a user's data. What is past its time goes then. Nothing happens where there is none. */
        delete: operations["lift_legal_hold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what a user may spend in a day, and whether large sends wait for an administrator. */
        get: operations["show_user_limits"];
        /** Set what a user may spend in a day, and whether large sends wait. Repeating the request changes nothing more. */
        put: operations["set_user_limits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/purpose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or remove the default purpose of a user's messages: it holds where neither the request nor its API key or sender id
         *     says one. What was quoted stays as it is; other daemons may use the old default for five seconds. Repeating the request
         *     changes nothing more.
         */
        put: operations["set_user_purpose"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/rate-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set or remove a user's rate plan. Quotes that were given keep their price. Repeating the request changes nothing more. */
        put: operations["set_rate_plan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List every user's webhooks, newest first; `q` searches addresses, descriptions and user names. */
        get: operations["list_all_webhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your API keys in use, newest first, without their secrets. */
        get: operations["list_api_keys"];
        put?: never;
        /**
         * Make an API key. Its secret is shown this once, and an e-mail reports the key to its owner. Needs a sign-in or
         *     `POST /api/sessions/reauthenticate` within the last ten minutes.
         */
        post: operations["create_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key: it stops working at once. */
        delete: operations["revoke_api_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/avatars/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's picture, at the address that the profile shows: a browser asks for it without a token, so the address
         *     itself cannot be guessed, and a new picture has a new one.
         */
        get: operations["show_avatar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A campaign: its counts, its money, the first of its numbers, and how many of its messages can be sent again. */
        get: operations["show_campaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of a campaign's messages by network, over time and by reason, as they are now. What has settled was
         *     counted before; what still moves is counted for each answer, so ask every half minute rather than every second.
         */
        get: operations["break_down_campaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a campaign: what was not sent is refunded, what is in flight settles itself. */
        post: operations["cancel_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a campaign by server-sent events: `progress` whenever something changed, and `end`, both with a `Progress`.
         *     It ends when nothing is left to send; with `receipts=1` when no receipt is awaited either.
         */
        get: operations["watch_campaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The delivery report of a campaign as CSV, streamed: one line a message, in order of sending. */
        get: operations["export_campaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/form": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the form of your campaign said, to be filled in again: its text, its sender, and its groups that are still there. All
         *     other recipients are meant by `audience`, which forms take.
         */
        get: operations["show_campaign_form"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of a campaign in order of sending; of one `status`, of one for a `reason`, or of all that `failed`. */
        get: operations["list_campaign_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop sending a campaign; what was handed to the carrier before still goes out. */
        post: operations["pause_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote what failed of the caller's campaign and was not sent again yet: undelivered, rejected, expired, or settled
         *     as not sent. Nothing is charged before the quote is confirmed with `confirm-send-{kind}-sms`.
         */
        post: operations["resend_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/campaigns/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a paused campaign go on, or wait for its time again. */
        post: operations["resume_campaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password. All your other sessions end. */
        post: operations["change_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new e-mail address by the code that was sent to it. */
        post: operations["confirm_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a new phone number by the code that was sent to it. */
        post: operations["confirm_phone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-schedule-flash-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once. */
        post: operations["confirm_schedule_flash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-schedule-text-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once. */
        post: operations["confirm_schedule_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-schedule-unicode-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once. */
        post: operations["confirm_schedule_unicode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-schedule-vcard-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once. */
        post: operations["confirm_schedule_vcard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-schedule-wap-push-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a scheduled quote, by `quote_id` or by the identical form: reserve its price. Once. */
        post: operations["confirm_schedule_wap_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-send-flash-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once. */
        post: operations["confirm_send_flash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-send-text-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once. */
        post: operations["confirm_send_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-send-unicode-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once. */
        post: operations["confirm_send_unicode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-send-vcard-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once. */
        post: operations["confirm_send_vcard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/confirm-send-wap-push-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a quote, by `quote_id` or by the identical form: reserve its price and send. Once. */
        post: operations["confirm_send_wap_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All contacts of the caller as CSV, streamed group by group: group, phone, name, email. */
        get: operations["export_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/create/contact/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a contact to a group. One more than the account may keep is refused (`contacts_quota`). */
        post: operations["create_contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/create/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a group of contacts. */
        post: operations["create_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delete/contact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a contact from its group. */
        delete: operations["delete_contact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delete/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a group with all its contacts. */
        delete: operations["delete_group"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/delivery-reports/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The delivery reports of all of the caller's campaigns of a period as one CSV, streamed: one line a message with its
         *     `campaign_id`, oldest campaign first. The period is that in which the campaigns were made.
         */
        get: operations["export_delivery_reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your drafts, the last changed first: at most 20, so there are no pages. Their fields are left out. */
        get: operations["list_drafts"];
        put?: never;
        /**
         * Keep a form that is not sent yet. It is removed when nothing is changed in it for 30 days; an account keeps 20
         *     (`drafts_full`).
         */
        post: operations["create_draft"];
        /** Delete the draft that was begun with a key, as `DELETE /api/drafts/{id}` does: also one whose id was never heard of. */
        delete: operations["delete_draft_by_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of your drafts, with its fields. */
        get: operations["show_draft"];
        /**
         * Save a draft over a version of it. Where it was changed since then, as on another device, it is left alone and 409
         *     answered (`draft_changed`).
         */
        put: operations["save_draft"];
        post?: never;
        /**
         * Delete a draft with its files. Where a version is named and the draft was changed since then, it is left alone
         *     (`draft_changed`).
         */
        delete: operations["delete_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a file to a draft. It is kept with it, within what an account may keep (`drafts_quota`). Where the draft was changed
         *     meanwhile it is left alone (`draft_changed`).
         */
        post: operations["add_draft_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of a draft, as it was added. */
        get: operations["read_draft_file"];
        put?: never;
        post?: never;
        /** Take a file out of a draft. Where the draft was changed meanwhile it is left alone (`draft_changed`). */
        delete: operations["delete_draft_file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/edit-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your profile. */
        post: operations["edit_profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-about-us": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The pricing write-up, sanitised HTML. */
        get: operations["show_about_us_to_visitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-campaign-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's campaigns, newest first unless sorted otherwise; `q` searches sender ids and
         *     texts.
         */
        get: operations["list_campaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-contact-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The business's postal address. */
        get: operations["show_contact_address_to_visitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-contact-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The address that visitors write to. */
        get: operations["show_contact_email_to_visitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-contact-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The number that visitors call. */
        get: operations["show_contact_phone_to_visitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-espee-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What both wallets hold, and what running campaigns have reserved. */
        get: operations["show_balances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-failed-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's messages that are undelivered, rejected or expired, newest campaign first. The newest 10,000
         *     campaigns are looked at; `before`, the id of a message, goes on with those older than its campaign.
         */
        get: operations["list_failed_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-last-sent-message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** When the caller's newest campaign started to send. */
        get: operations["show_last_sent_message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-maintenance-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the platform is in maintenance. */
        get: operations["show_maintenance_to_visitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-own-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's own numbers, which calls verified: see `POST /api/voice-call`. */
        get: operations["list_own_numbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-own-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call from an own number costs in ESPEES. */
        get: operations["show_own_number_price_to_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-sender-id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's sender ids: what messages may be sent from, `WEBSMS` first. With `status` also those that wait or were
         *     disapproved.
         */
        get: operations["list_sender_ids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-sent-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's campaigns in the form of the specification's sent messages, one row each, newest first
         *     unless sorted otherwise.
         */
        get: operations["list_sent_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-sent-voice-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's calls to many, newest first. */
        get: operations["list_sent_voice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-sms-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one page of a short message costs. */
        get: operations["show_sms_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-transaction-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's transactions, newest first: every movement of the wallets, and payments that are open or failed. `q`
         *     searches references and narrations.
         */
        get: operations["list_transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-virtual-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's virtual numbers, and the request that waits for one. */
        get: operations["list_virtual_numbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-virtual-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call from a virtual number costs in ESPEES. */
        get: operations["show_virtual_number_price_to_users"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-voice-records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's recordings, newest first, each with an address at which it can be heard for an hour at least. */
        get: operations["list_voice_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get-voice-unit-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one pulse of a call costs. */
        get: operations["show_voice_prices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get/announcement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The announcements that are shown now, oldest first. */
        get: operations["list_active_announcements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All contacts of the caller; `q` searches number, name and e-mail address. */
        get: operations["list_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's groups; `q` searches name and description, `group_name` finds the one of that name. */
        get: operations["list_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the caller's groups. */
        get: operations["show_group"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/get/group/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The contacts of a group; `q` searches number, name and e-mail address. */
        get: operations["list_group_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/group/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All contacts of the caller, each with every group that holds its number. */
        get: operations["list_contacts_with_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/groups/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The contacts of a group as CSV, streamed in order of numbers: phone, name, email and the merge fields. */
        get: operations["export_group"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/contact/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts into a group. Answers when it is done; with `background=1` at once, with an import to watch.
         *     More contacts than the account may keep are refused (`contacts_quota`), larger files too (`imports_quota`).
         */
        post: operations["import_into_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import/contacts/new/group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import contacts into a group that is made for them. Answers when it is done; with `background=1` at once, with an
         *     import to watch. More contacts than the account may keep are refused (`contacts_quota`), larger files too
         *     (`imports_quota`).
         */
        post: operations["import_into_new_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's imports, newest first. They are kept for 30 days. */
        get: operations["list_imports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an import is. */
        get: operations["show_import"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow an import by server-sent events: `progress` whenever something changed, and `end`, both with an `Import`. */
        get: operations["watch_import"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{id}/rejects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The entries that an import could not take, or not whole, as CSV: line, value, code, reason. The first 100,000. */
        get: operations["list_import_rejects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/inbound-messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What handsets sent to the caller's virtual numbers, and answered to the caller's messages; administrators see
         *     all users'. Newest first; `q` searches number and text.
         */
        get: operations["list_inbound_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in by KingsChat, with its access token beside the profile, or with the code of the newer flow. */
        post: operations["kingschat_login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Take a code that KingsChat brings in the query. */
        get: operations["take_kingschat_code"];
        put?: never;
        /** Take a code that KingsChat brings as a form or JSON. */
        post: operations["take_kingschat_form"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the session once the person signed in at KingsChat. Ask every two seconds; 202 means not yet. */
        post: operations["finish_kingschat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show which KingsChat account is linked. */
        get: operations["show_kingschat_link"];
        put?: never;
        /**
         * Link the KingsChat account of an access token to the signed-in user. Linking the same again changes nothing. The
         *     newer flow begins at `/api/kingschat/link/start`.
         */
        post: operations["link_kingschat"];
        /** End the link to a KingsChat account. Refused for an account without a password: it would have no way to sign in. */
        delete: operations["unlink_kingschat"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/link/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to link a KingsChat account by the newer flow, to the signed-in user. It comes to nothing once the session ends. */
        post: operations["start_kingschat_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to offer the sign-in by KingsChat. */
        get: operations["show_kingschat_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/kingschat/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in by KingsChat's newer flow. The answer's cookie ties what comes back to this browser. */
        post: operations["start_kingschat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a user name or e-mail address. */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session. */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every message to a number over all campaigns, newest first: the caller's, for administrators all users'. */
        get: operations["find_messages"];
        put?: never;
        /**
         * Send a message to one number, at once: quoted and confirmed in one call.
         * @description With an `Idempotency-Key` it may be repeated after a fault on the way: the answer is then the message that was sent.
         *     What becomes of it tell `GET /api/messages/{id}` and webhooks. Messages that a user sends at the same time may share a
         *     campaign, which is paused and cancelled as a whole.
         */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why a message is where it is and what it cost: its statuses, and the ledger entries that carry its money. */
        get: operations["explain_message"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/optouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Numbers that opted out of the caller's messages; `q` searches number and note. */
        get: operations["list_optouts"];
        put?: never;
        /**
         * Opt a number out of the caller's messages. One that is on the list already stays as it is, but that `all`
         *     replaces `promotional`; one more
         *     than the account may keep is refused (`optouts_quota`).
         */
        post: operations["add_optout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/optouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Let a number have the caller's messages again. */
        delete: operations["remove_optout"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/optouts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's opt-outs as CSV, streamed, oldest first: phone, source, note, created_at, reach. */
        get: operations["export_optouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/optouts/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import opt-outs from the caller's messages. Answers when it is done; with `background=1` at once. More
         *     than the account may keep are refused (`optouts_quota`).
         */
        post: operations["import_optouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/own-number-calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a call goes that speaks a code to an own number, and what of it is charged. It is kept for 30 days. */
        get: operations["show_own_number_call"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/own-numbers/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an own number: no later call shows it, and campaigns that call from it, or are to, pause. It can be verified again. */
        delete: operations["withdraw_own_number"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a code for a new password to an e-mail address, if it has an account; the answer does not say whether. */
        post: operations["forgot_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password by the code that was sent for it. All sessions end; API keys go on unless they are revoked, too. The
         *     answer and an e-mail list what still opens the account.
         */
        post: operations["reset_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a payment: the provider is asked, and what was paid is credited, once, however often this is called. */
        post: operations["confirm_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payment-initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to fund the ESPEES account: the payer goes to `payment_url`, and comes back to confirm `payment-ref`. */
        post: operations["initiate_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's payments, newest first; `q` searches references, narrations and labels. */
        get: operations["list_payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paystack-payment-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm a payment: the provider is asked, and what was paid is credited, once, however often this is called. */
        post: operations["confirm_paystack_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/paystack-payment-initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to fund the Naira account: the payer goes to `authorization_url`, and comes back to confirm `reference`. */
        post: operations["initiate_paystack_payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A quote of the caller's, for administrators anybody's, with the balance as it is now. */
        get: operations["show_quote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotes/{id}/rejects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The entries of a quote that are no usable number, as CSV: line, value, code, reason. At most the first thousand. */
        get: operations["list_quote_rejects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a page costs by where it goes. The longest prefix wins, for the same prefix the network, and for the same network the
         *     purpose. Where no rate has a price
         *     in the currency, `GET /api/get-sms-unit-price` says the price, in Nigeria and elsewhere. A user with a rate plan who is
         *     signed in is told the rates that hold for this user, visitors those for all.
         */
        get: operations["show_rates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recipients/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What recipients are: how many, how many of them twice, invalid or opted out, their networks, and the columns that a
         *     message to them can use. Nothing is priced and nothing is kept.
         */
        post: operations["check_recipients"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a recording to call with. It is decoded at once, and refused where it is no MP3 (`invalid_mp3`), damaged, too
         *     short, too long or too quiet to be understood over a telephone, or where the account keeps as much as it may
         *     (`recordings_quota`). The same sound is kept once: uploading it again answers the recording that is there.
         */
        post: operations["add_recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a recording. Its address plays nothing any more. */
        delete: operations["delete_recording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{id}/audio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A recording as it is called with: a WAV of 8 kHz, mono, 16 bit. The address is `audioFileUrl` of the list, is good for
         *     an hour at least, and needs no session. One range of bytes may be asked for, as players do.
         */
        get: operations["play_recording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send another code to a registration; the one before is void then. */
        post: operations["resend_registration_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register: a six-digit code goes to the phone number. An address or number that has an account gets the same answer,
         *     and its owner is told.
         */
        post: operations["start_registration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Prove the phone number of a registration: the user exists from then on, and signs in. */
        post: operations["verify_registration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/request-senderid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for sender ids; they are free, and an administrator approves or disapproves them. */
        post: operations["request_sender_ids"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/request-virtual-number": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a virtual number; an administrator assigns one. */
        post: operations["request_virtual_number"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-flash-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at the times given; nothing is charged. */
        post: operations["schedule_flash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-text-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at the times given; nothing is charged. */
        post: operations["schedule_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-unicode-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at the times given; nothing is charged. */
        post: operations["schedule_unicode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-vcard-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at the times given; nothing is charged. */
        post: operations["schedule_vcard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/schedule-wap-push-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at the times given; nothing is charged. */
        post: operations["schedule_wap_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-flash-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at once; nothing is charged. */
        post: operations["send_flash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-text-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at once; nothing is charged. */
        post: operations["send_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-unicode-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at once; nothing is charged. */
        post: operations["send_unicode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-vcard-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at once; nothing is charged. */
        post: operations["send_vcard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/send-wap-push-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Quote a campaign that is sent at once; nothing is charged. */
        post: operations["send_wap_push"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List where you are signed in, the newest use first. */
        get: operations["list_sessions"];
        put?: never;
        post?: never;
        /** End all your sessions but this one. */
        delete: operations["revoke_other_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions, at once. */
        delete: operations["revoke_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the password again. For ten minutes this session may then do what outlasts it: make API keys, link accounts, change
         *     the e-mail address, add, re-point or rotate webhooks, and, as an administrator, make or activate administrators and set
         *     the wallet address and the keys of payment providers and carriers. A session whose sign-in is older is refused with
         *     `reauthentication_required`.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your templates in order of names: at most 100, so there are no pages. */
        get: operations["list_templates"];
        put?: never;
        /** Keep a text under a name. An account keeps 100 (`templates_full`). */
        post: operations["create_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the name and the text of a template. */
        put: operations["change_template"];
        post?: never;
        /** Delete a template. */
        delete: operations["delete_template"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/transfer-fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Transfer funds to another user. */
        post: operations["transfer_fund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update/contact/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a contact. */
        put: operations["update_contact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/update/group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Give a group another name and description. */
        put: operations["update_group"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user-profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, with balances. */
        get: operations["show_profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish a first sign-in with the code that was sent to the e-mail address. */
        post: operations["verify_email"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/verify/email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send another code to a first sign-in whose password was right; to others nothing is sent, and the same is said. */
        post: operations["resend_sign_in_code"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voice-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call many numbers and play them a text that is spoken, an MP3, or a recording that was kept.
         * @description With `quote=1` it answers what the calls will cost at most, and charges nothing; with `quote_id` it confirms exactly
         *     that, once. With neither it quotes and confirms in one call; `max_charge` bounds what that may cost. Each call is billed
         *     by pulses from its answer on: the most that all can cost is reserved, and the rest is released. A call that is not
         *     answered costs nothing. An MP3 is kept as a recording.
         *
         *     With `digits` it asks a question that is answered by key, and `plays` says how often it is played at most while no key is
         *     pressed: all of that is reserved. The key 9 opts the number out, in every call.
         *
         *     With `own_number`, no contacts and nothing to play, a call to that number speaks a code of six digits, twice. The most
         *     that it can take is charged before it is placed, at the own-number price; what it does not take, and all of it where it is
         *     not answered, is refunded. The answer is `Code sent`, and `GET /api/own-number-calls/{id}` tells how it goes. With
         *     `validation_code` the number is verified, and calls may be from it. A code is good for 10 minutes and 5 tries. How many such
         *     calls there may be:
         *
         *     - of a user one a minute, 5 an hour and 10 a day, and 5 a day to one number; otherwise 429
         *     - of all users to one number one a minute, 10 an hour and 30 a day; otherwise 429
         *     - none at night: 409 `quiet_hours`
         *     - none while no money came into the account: 403 `verifications_unfunded`
         *
         *     The verified phone of the user's profile is called at any hour, and calls to it that other users asked for do not count;
         *     only one of theirs that is under way holds it up.
         */
        post: operations["call_many"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voice-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A text as a call will say it: a WAV of 8 kHz, mono, 16 bit. Nothing is charged. Clips are kept, so that the same text
         *     is there at once. 503 `speech_unavailable` where the server has no speech engine.
         */
        post: operations["preview_voice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voice-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have your own verified phone called, and hear what a call will say: a text or a recording, of which the first two
         *     minutes are played. Nothing is charged. The answer comes when the call is begun; `GET /api/voice-test/{id}` tells how it
         *     goes. Another trunk is tried only where the first one fails. At most 5 an hour and 15 a day
         *     (`limits.test_calls_per_day`), fewer until the account is funded, one at a time; 403 where there are none at all. 503
         *     where no trunk takes calls now.
         */
        post: operations["test_voice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voice-test/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a test call goes. The daemon that places it remembers it, for a day and until it restarts. */
        get: operations["show_voice_test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every movement of the caller's wallets, newest first; of one of them with `currency`. */
        get: operations["list_statement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your webhooks: at most 20, so there are no pages. */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Add an address that events of your campaigns and messages are sent to. The secret that signs its requests is shown this once, and an
         *     e-mail reports the address to its owner. Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within
         *     the last ten minutes: an address outlasts the key that added it.
         * @description Requests are `POST`s of JSON (`type`, `timestamp`, `data`) with the headers `webhook-id`, `webhook-timestamp` and
         *     `webhook-signature` of Standard Webhooks. Any answer 2xx within 15 seconds takes an event; else it is tried again
         *     seven times over 28 hours.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show one of your webhooks; administrators, anybody's. */
        get: operations["show_webhook"];
        /** Change a webhook, or turn it on or off. Repeating the request changes nothing more. */
        put: operations["edit_webhook"];
        post?: never;
        /** Delete a webhook with its log. What it was still to hear is not told any more. */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The log of a webhook, newest first: what was sent, what was answered, what is tried again. Kept for 30 days.
         *     Administrators see all users'.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a delivery with the body that was sent. */
        get: operations["show_webhook_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver one event again, whatever became of it; administrators, anybody's. */
        post: operations["redeliver_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/redeliver-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver everything again that was given up, up to 1,000 deliveries, oldest first: after the receiver was mended.
         *     Administrators, anybody's.
         */
        post: operations["redeliver_failed_webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret. For 24 hours requests are signed with both, so that nothing is missed meanwhile.
         *     Needs a session with a sign-in or `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to
         *     the owner.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event, `webhook.test`, to a webhook. The log shows what came of it. */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cgi-bin/sendsms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send messages as Kannel's smsbox does, by parameters of the address.
         * @description Others than Kannel write addresses into logs, and with them the API key: use POST where you can. Each number is a message
         *     like one of `POST /api/messages`, with its price. A call that is repeated sends again, unless it has an
         *     `Idempotency-Key`.
         */
        get: operations["send_sms_by_url"];
        put?: never;
        /**
         * Send messages as Kannel's smsbox does.
         * @description The parameters stand in the body, or in the address. A body of `text/plain` or `application/octet-stream` is the text
         *     itself; the parameters are then headers such as `X-Kannel-To`, as Kannel has it. See the call by GET.
         */
        post: operations["send_sms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process lives. */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/carriers/{name}/clips/{clip}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What calls over HTTP play: a WAV of 8 kHz, mono, 16 bit. A carrier of the kind `http-voice` gives its provider the
         *     address, which needs no session, is good for as long as a call may take, and for an hour more at most. It may be fetched
         *     several times, and one range of bytes may be asked for. 404 once no call plays it any more.
         */
        get: operations["fetch_clip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/paystack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Paystack's webhook. The body must be signed with our secret key; whatever it says of a payment, Paystack itself is
         *     asked before anything is credited.
         */
        post: operations["hear_paystack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in Prometheus' text format. */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the daemon takes work: 503 while it stops or cannot reach its database. */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The pricing write-up: HTML that was sanitised. */
        AboutUs: {
            /** @description One record, or none while it is not set. */
            "About-Us": components["schemas"]["SettingRecord"][];
        };
        /** @description What is announced. */
        ActiveAnnouncements: {
            /** @description The same beside it. */
            Announcement: components["schemas"]["Announcement"][];
            /** @description Where the specification's client looks. */
            data: components["schemas"]["AnnouncementList"];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A page of active users. */
        ActiveUsers: {
            /** @description Newest first, unless sorted otherwise. */
            active_users: components["schemas"]["User"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The number that opts out. */
        AddOptOut: {
            /** @description Why, or where it was heard. */
            note?: string;
            /** @description The number, in any usual form. */
            phone?: string;
            /** @description `all`, which is meant when it is left out: no messages but codes; `promotional`: no promotional messages. */
            reach?: string | null;
        };
        /** @description The administrator's own number. */
        AdminNumber: {
            /** @description One record, or none while it is not set. */
            "Admin-Number": components["schemas"]["SettingRecord"][];
        };
        /** @description `GET /admin/get-sender-ids`. */
        AllSenderIds: {
            /** @description Newest first, unless sorted otherwise. */
            senderids: components["schemas"]["SenderIdRecord"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `GET /admin/get-all-transactions`. */
        AllTransactions: {
            /**
             * Format: int64
             * @description Ask with this as `beyond` for those.
             */
            beyond?: number | null;
            /** @description Whether there are more, beyond the 100,000 that one list reaches: older ones; newer ones with `order=asc`. */
            is_cut: boolean;
            /**
             * Format: int64
             * @description How many there are within reach.
             */
            total: number;
            /** @description Newest first. */
            Transactions: components["schemas"]["Transaction"][];
        };
        /** @description An amount of money with at most six decimals. */
        Amount: number;
        /** @description An announcement. */
        Announcement: {
            /** @description The text, plain. */
            announcement: string;
            /** @description When it was made. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: int32
             * @description 1 while it is shown, 0 while it is not.
             */
            is_active: number;
            /** @description When it was last changed. */
            updated_at: string;
        };
        /** @description A list of announcements. */
        AnnouncementList: {
            /** @description Oldest first. */
            Announcement: components["schemas"]["Announcement"][];
        };
        /** @description The answer of `POST /admin/manage-annoucement`. */
        AnnouncementManaged: {
            /** @description The announcement as it is now; none when it was deleted. */
            Announcement: components["schemas"]["Announcement"][];
            /** @description For people. */
            message: string;
        };
        /** @description `GET /admin/get-annoucement`. */
        Announcements: {
            /** @description Newest first. */
            Announcement: components["schemas"]["Announcement"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `GET /admin/announcements/{id}`. */
        AnnouncementShown: {
            /** @description The announcement. */
            announcement: components["schemas"]["Announcement"];
        };
        /** @description An API key without its secret. */
        ApiKey: {
            /** @description When it was made. */
            created_at: string;
            /** @description When it ends by itself; `null` for never. */
            expires_at?: string | null;
            /**
             * Format: int64
             * @description The key's id.
             */
            id: number;
            /** @description When it was last used, to the minute. */
            last_used_at?: string | null;
            /** @description What its owner calls it. */
            name: string;
            /** @description The first characters of the key, to recognise it by. */
            prefix: string;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description What it may do: `send`, `read`, `admin`. */
            scopes: string[];
        };
        /** @description A page of API keys. */
        ApiKeys: {
            /** @description The keys, newest first. */
            api_keys: components["schemas"]["ApiKey"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The credit. */
        AssignEspees: {
            /** @description How much, with at most six decimals. */
            espees: components["schemas"]["Amount"];
            /** @description The payment it corrects: each reference is credited once. */
            payment_ref: string;
        };
        /** @description The credit. */
        AssignNaira: {
            /** @description How much, with at most six decimals. */
            amount: components["schemas"]["Amount"];
            /**
             * @description The payment it corrects: each reference is credited once. One is made up when none is given; then only an
             *     `Idempotency-Key` keeps a repeated request from crediting twice.
             */
            payment_ref?: string | null;
        };
        /** @description Which number. */
        AssignVirtualNumber: {
            /** @description In international form, or Nigerian with its 0. */
            virtual_num?: string;
        };
        /** @description An entry of the audit trail. */
        AuditEntry: {
            /** @description What was done, as `noun.verb`. */
            action: string;
            /** @description How it is since. */
            after?: string | null;
            /** @description When. */
            at: string;
            /** @description How it was. */
            before?: string | null;
            /**
             * Format: int64
             * @description The entry's id, in order of time.
             */
            id: number;
            /** @description To what. */
            subject: string;
            /**
             * Format: int64
             * @description Who; `null` for the operator at the daemon's own command line.
             */
            user_id?: number | null;
            /** @description Who, by name. */
            username?: string | null;
        };
        /** @description `GET /admin/audit`. */
        AuditTrail: {
            /** @description Newest first. */
            audit: components["schemas"]["AuditEntry"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A bearer token. */
        Authorization: {
            /** @description The token. */
            token: string;
            /** @description Always `bearer`. */
            type: string;
        };
        /** @description What comes back from KingsChat. */
        Back: {
            /** @description The code. */
            code?: string;
            /** @description The nonce that `POST /api/kingschat/start` sent there. */
            origin?: string;
        };
        /** @description `GET /api/get-espee-balance`. */
        Balances: {
            /** @description ESPEES reserved by campaigns that are not settled yet. */
            espees_reserved: components["schemas"]["Amount"];
            /** @description The wallet in ESPEES. */
            "espees-balance": components["schemas"]["Amount"];
            /** @description The wallet in Naira. */
            paystack_balance: components["schemas"]["Amount"];
            /** @description Naira reserved by campaigns that are not settled yet. */
            paystack_reserved: components["schemas"]["Amount"];
        };
        /** @description `GET /api/campaigns/{id}/breakdown`. */
        Breakdown: {
            /**
             * Format: int64
             * @description The width of a bucket, in seconds.
             */
            bucket_s: number;
            /** @description Over time, oldest first, at most 120; those in which nothing happened are left out. */
            buckets: components["schemas"]["Bucket"][];
            /** @description By network, most recipients first. */
            networks: components["schemas"]["NetworkOutcome"][];
            /** @description Why messages failed, or are unknown, or were left out; most first. Rare ones are under `Other reasons`. */
            reasons: components["schemas"]["ReasonCount"][];
        };
        /**
         * @description What a browser brings: the older flow's token, or the newer one's code. The profile beside it proves nothing and is
         *     not read.
         */
        Brought: {
            /** @description The access token that KingsChat gave the page; `accessToken` is taken as well. */
            access_token?: string;
            /** @description The code of the newer flow. */
            code?: string;
            /** @description The nonce that came back with the code. */
            origin?: string;
            /** @description What `POST /api/kingschat/start` gave this browser. */
            state?: string;
        };
        /** @description What happened in a stretch of time. */
        Bucket: {
            /** @description Its beginning. */
            at: string;
            /**
             * Format: int64
             * @description Messages that were delivered.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Messages that failed: undelivered, rejected, expired.
             */
            failed: number;
            /**
             * Format: int64
             * @description Messages that the carrier answered.
             */
            submitted: number;
        };
        /** @description How the last call of a message went. */
        CallDetails: {
            /** @description How it answered its campaign's question: a key of it, `9` where the person only opted out, `other` or `none`. */
            answer?: string | null;
            /** @description When it was answered. */
            answered_at?: string | null;
            /**
             * Format: int64
             * @description Calls so far.
             */
            attempts: number;
            /**
             * Format: int64
             * @description The trunk's code, where it has one: with SIP that of the last answer.
             */
            code?: number | null;
            /** @description The keys that were pressed. */
            digits: string;
            /** @description Who ended it: `caller`, `callee` or `trunk`. */
            ended_by: string;
            /**
             * Format: int64
             * @description How much of the clip was heard, in ms.
             */
            heard_ms: number;
            /** @description `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error` or `failed`. */
            outcome: string;
            /**
             * Format: int64
             * @description How long it was up, in ms.
             */
            up_ms: number;
        };
        /** @description A campaign (one run of a quote). */
        Campaign: {
            canary?: components["schemas"]["CampaignCanary"] | null;
            /** @description What was charged so far, what was refunded since included. */
            captured: components["schemas"]["Amount"];
            /** @description When nothing was left to send. */
            completed_at?: string | null;
            /**
             * @description The first recipients, at most 1,000 numbers joined by commas. Empty in progress events, with `numbers=0`, and in a
             *     list from where its campaigns have 120,000 numbers together.
             */
            contacts?: string;
            /** @description Where its messages are. */
            counts: components["schemas"]["Counts"];
            /** @description When it was confirmed. */
            created_at: string;
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description Recipients that got nothing, at most 1,000 numbers joined by commas. Empty where `contacts` is. */
            failed_contacts?: string;
            /**
             * @description What holds the paused campaign: `first_send`, a first large send, or `admin`, who paused it, and only an administrator
             *     can let it go on; or `canary`, whose messages were not delivered, and its owner resumes or cancels it.
             */
            held?: string | null;
            /**
             * Format: int64
             * @description The campaign's id.
             */
            id: number;
            /** @description Where all its messages are listed. */
            messages_url?: string;
            /** @description The text, with its merge fields unfilled. */
            msg: string;
            /**
             * Format: int64
             * @description How many messages failed: undelivered, rejected, expired.
             */
            no_of_failed_contacts?: number;
            /**
             * Format: int64
             * @description How many messages the carrier accepted and did not fail: submitted and delivered.
             */
            no_of_sent_contacts?: number;
            /** @description Of calls that ask a question: how often each answer was given so far. */
            poll?: components["schemas"]["PollAnswer"][] | null;
            /** @description What it is for: `promotional`, `transactional` or `otp`. */
            purpose?: components["schemas"]["Purpose"];
            /**
             * Format: int64
             * @description The quote it came from.
             */
            quote_id: number;
            /**
             * @description What was charged and refunded: messages that were not delivered, where that is refunded, and messages that were
             *     charged while nothing was known and were not sent.
             */
            refunded: components["schemas"]["Amount"];
            /** @description What was released so far without being charged. */
            released: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description How many of its failed messages can be sent again, which is once each; of one campaign, not in lists and events.
             */
            resendable?: number | null;
            /** @description What is still reserved. */
            reserved: components["schemas"]["Amount"];
            /** @description When it is to start, if it was scheduled. */
            scheduled_at?: string | null;
            /** @description The sender id. */
            senderid: string;
            /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
            sms_type: string;
            /** @description When its first message was claimed. */
            started_at?: string | null;
            /** @description `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`. */
            status: string;
            /** @description Why it is paused or failed, or why what is left of it waits while it is being sent. */
            status_reason?: string | null;
            /** @description What was reserved. */
            total_charges: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Recipients.
             */
            total_contacts: number;
            /**
             * Format: int64
             * @description Its owner.
             */
            user_id: number;
            /** @description Its owner's name. */
            username: string;
        };
        /** @description `GET /api/campaigns/{id}`. */
        CampaignAnswer: {
            /** @description The campaign. */
            campaign: components["schemas"]["Campaign"];
        };
        /** @description Where the canary of a campaign is. */
        CampaignCanary: {
            /**
             * Format: int64
             * @description Its messages that were delivered; of calls, answered.
             */
            delivered: number;
            /**
             * Format: int64
             * @description How many of a hundred must be delivered.
             */
            delivery: number;
            /**
             * Format: int64
             * @description Its messages that were not, as far as is known.
             */
            failed: number;
            /**
             * Format: int64
             * @description How many that are.
             */
            needed: number;
            /**
             * Format: int64
             * @description Its recipients.
             */
            size: number;
            /**
             * @description `running`: the rest waits; `passed`: the rest goes out; `failed`: the campaign was paused; `resumed`: it failed, and the
             *     rest was let go all the same; `stopped`: the campaign was cancelled before it was decided.
             */
            state: string;
            /**
             * @description When what is not delivered by then counts as failed; a platform that started later listens as long, ten minutes at most. `null`
             *     until each of its messages was handed to a carrier once, while the campaign is paused, and once it is decided.
             */
            until?: string | null;
            /**
             * Format: int64
             * @description How many seconds receipts are waited for.
             */
            wait_s: number;
        };
        /** @description The answer to pausing, resuming or cancelling a campaign. */
        CampaignChanged: {
            /** @description The campaign as it is now. */
            campaign: components["schemas"]["Campaign"];
            /** @description For people. */
            message: string;
        };
        /** @description A campaign's form. */
        CampaignForm: components["schemas"]["ContentForm"] & {
            /**
             * @description Lists that are here already: `campaign:ID`, the recipients of an earlier campaign, `campaign:ID:failed` those of them
             *     who got nothing (or any other status of a message), `import:ID` the numbers of an import. May be repeated, 20 times.
             */
            audience?: string[];
            /**
             * @description A canary: how many recipients get the message first, spread over the networks, as `50` (4,096 at most) or `5%`. The rest
             *     waits until enough of their messages were delivered; otherwise the campaign pauses, and its owner resumes or cancels it.
             */
            canary?: string | null;
            /** @description How many of a hundred messages of the canary must be delivered, 1 to 100; 80 unless given. */
            canary_delivery?: string | null;
            /**
             * @description Numbers of one's own that are among the first beside these, in any form: 20 at most. They may be all of the canary. One that
             *     is not on the list becomes a recipient, is charged as one, and gets the merge fields of the first recipient.
             */
            canary_seeds?: string | null;
            /**
             * @description How many seconds receipts of the canary are waited for, from when each was handed to a carrier once: 10 to 86,400;
             *     600 unless given.
             */
            canary_wait_s?: string | null;
            /**
             * @description A column of the file that is read as numbers; detected when it is not given. May be repeated: each number of a row
             *     is a recipient with the row's fields.
             */
            column?: string[];
            /** @description Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated. */
            contacts?: string | null;
            /**
             * Format: binary
             * @description Recipients as a CSV or text file of any size. May be repeated; columns of a CSV fill merge fields.
             */
            file?: Blob | null;
            /** @description The same as `groups`. */
            group_ids?: number[];
            /** @description Ids of contact groups that get it too. May be repeated; the contacts' fields fill merge fields. */
            groups?: number[];
            /** @description `espees` or `paystack` (alias `naira`). */
            payment_method?: string | null;
            /**
             * @description What the messages are for: `promotional`, `transactional` or `otp`. It decides their route, which opt-outs hold, and
             *     whether they wait in the quiet hours. Left out: the default of the API key, else of the sender ID, else of the account,
             *     else `transactional`.
             */
            purpose?: string | null;
            /**
             * Format: int64
             * @description To confirm: the quote that `send-...` answered. Without it the whole form is posted again.
             */
            quote_id?: number | null;
            /** @description The sender id: `WEBSMS`, or an approved one. */
            senderid?: string | null;
            /** @description When to send: RFC 3339, or `YYYY-MM-DD HH:MM` in the user's time zone. May be repeated: one run for each. */
            time?: string[];
        };
        /** @description A page of campaigns. */
        Campaigns: {
            /** @description Newest first. */
            campaigns: components["schemas"]["Campaign"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A carrier and how it fares. */
        Carrier: {
            /** @description Its connections. */
            binds: components["schemas"]["CarrierBind"][];
            /** @description The networks to which promotional messages wait, as it delivers too few of them. */
            breakers?: components["schemas"]["CarrierBreaker"][];
            calls?: components["schemas"]["CarrierCalls"] | null;
            /** @description Whether it stands in the configuration. One that does not is shown while something waits at it. */
            configured: boolean;
            /**
             * @description `up`, `connecting`, `refusing` (all that it is given, for a reason of its own, until it takes a message again), `stopped`
             *     (until the configuration is mended), or `unheld` when no daemon holds it.
             */
            health: string;
            /**
             * Format: int64
             * @description The run of the daemon that holds it.
             */
            held_by?: number | null;
            /**
             * Format: int64
             * @description Messages of which the carrier has not said yet whether it takes them; calls that are up.
             */
            in_flight: number;
            /**
             * @description How it is spoken to: `smpp`, `kannel`, `termii`, `africastalking`, `infobip` or `template`, or for calls `sip` or
             *     `http-voice`; empty when it is not configured any more.
             */
            kind: string;
            /** @description Its name in the configuration. */
            name: string;
            /** @description Since when the chunk that was heard of least has messages in flight. */
            oldest_lease_at?: string | null;
            /** @description Since when the message that waits longest could have been sent. */
            oldest_queued_at?: string | null;
            /**
             * Format: int64
             * @description How long that is, in seconds.
             */
            oldest_queued_s?: number | null;
            /**
             * Format: int64
             * @description Messages that wait to be sent, of campaigns that are sending; those that are tried again among them.
             */
            queued: number;
            /**
             * Format: int64
             * @description Messages of campaigns that are scheduled or paused.
             */
            queued_later: number;
            /**
             * Format: int64
             * @description The platform's own text messages that wait.
             */
            queued_notices: number;
            /**
             * Format: int32
             * @description Messages, or new calls, a second it may take; 0 is as many as it does.
             */
            rate: number;
            /**
             * Format: int32
             * @description Messages a second that it answered over the last ten seconds; none for calls.
             */
            rate_now?: number | null;
            /** @description Why it is not up. */
            reason?: string | null;
            receipt_lag?: components["schemas"]["CarrierReceiptLag"] | null;
            /** @description When that daemon last looked: what it says of health, binds, window and rate is as of then. */
            seen_at?: string | null;
            /** @description `open`, `paused`, `draining`, or `drained` once nothing of it is in flight. */
            state: string;
            /** @description Whose word it is. */
            state_by?: string | null;
            /** @description Why, in the operator's words. */
            state_reason?: string | null;
            /** @description Since when. */
            state_since?: string | null;
            /** @description Whether it asked for less and is being waited for. */
            throttled: boolean;
            /** @description Its traffic is traced until then. */
            traced_until?: string | null;
            /**
             * Format: int64
             * @description Messages of which it is not known whether they were sent.
             */
            unknown_messages: number;
            /**
             * Format: int64
             * @description Receipts that match no message so far.
             */
            unmatched_receipts: number;
            /**
             * Format: int32
             * @description Short messages that may be outstanding at once; calls that may be up.
             */
            window?: number | null;
            /**
             * Format: int32
             * @description Short messages submitted and not answered; calls that are up.
             */
            window_used?: number | null;
        };
        /** @description A connection to a carrier. */
        CarrierBind: {
            /** @description Why it is not bound. */
            reason?: string | null;
            /** @description `transceiver`, `transmitter`, `receiver`, `http`, or `trunk` of a carrier of calls. */
            role: string;
            /** @description Since when. */
            since?: string | null;
            /** @description `bound`, `connecting` or `refused`. */
            state: string;
        };
        /** @description A network to which promotional messages by a carrier wait. */
        CarrierBreaker: {
            /** @description The administrator who opened it; `null` where it opened by itself. */
            changed_by?: string | null;
            /**
             * Format: int64
             * @description Receipts that opened it: of messages that were delivered; 0 where an administrator opened it.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Of messages that were not.
             */
            failed: number;
            /** @description The network, as routes name it. */
            network: string;
            /** @description Since when. */
            opened_at?: string | null;
            /** @description When a few are let through next. */
            probe_at?: string | null;
            /** @description `open`: they wait; `half_open`: a few are let through, to see whether the network delivers again. */
            state: string;
            /**
             * Format: int64
             * @description Promotional messages that wait for it.
             */
            waiting: number;
        };
        /** @description How the calls of a carrier go. */
        CarrierCalls: {
            /**
             * Format: int32
             * @description Calls that began in the last minute.
             */
            begun_last_minute: number;
            /**
             * @description Calls that ended in the last five minutes, by how: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`,
             *     `trunk_error`, `failed`.
             */
            ended: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Packets of audio that were sent in these calls; 0 over HTTP, where the provider sends them.
             */
            packets: number;
            /**
             * Format: int64
             * @description Of these, those that were sent over 20 ms after their time. Speech breaks up where they are more than one in a
             *     hundred: the machine has too much to do.
             */
            packets_late: number;
            /**
             * Format: int32
             * @description Calls that are up, those that still ring among them.
             */
            up: number;
        };
        /** @description The answer of `POST /admin/carriers/{name}/pause`, `resume`, `drain`, `hang-up` and `breaker`. */
        CarrierHeld: {
            /** @description The carrier as it is now. */
            carrier: components["schemas"]["Carrier"];
            /** @description In words. */
            message: string;
        };
        /** @description How long receipts take, from the carrier's answer on. */
        CarrierReceiptLag: {
            /**
             * Format: int32
             * @description Receipts that were measured.
             */
            measured: number;
            /**
             * Format: int64
             * @description Half of them came within so many ms.
             */
            p50_ms: number;
            /**
             * Format: int64
             * @description 95 of 100 came within so many ms.
             */
            p95_ms: number;
        };
        /** @description The answer of `POST /admin/carriers/{name}/reroute`. */
        CarrierRerouted: {
            /** @description Messages that stay, and why. */
            kept: components["schemas"]["KeptMessages"][];
            /** @description In words. */
            message: string;
            /** @description Messages that go by another carrier now. */
            moved: components["schemas"]["MovedMessages"][];
            /**
             * Format: int64
             * @description The platform's own text messages that go by another carrier now.
             */
            notices: number;
        };
        /** @description `GET /admin/carriers`. */
        Carriers: {
            /** @description In the order of the configuration. */
            carriers: components["schemas"]["Carrier"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The answer of `POST /admin/carriers/reload`. */
        CarriersReloaded: {
            /** @description Carriers whose settings changed: they drain and restart. */
            changed: string[];
            /** @description Every daemon on the database, and what became of the reload there. What stands above is of the one that was asked. */
            daemons?: components["schemas"]["DaemonReloaded"][];
            /** @description In words. */
            message: string;
            /** @description Other settings that changed in the file, which need a restart. */
            needs_restart: string[];
            /** @description Carriers that are not configured any more: they drain and end. */
            removed: components["schemas"]["RemovedCarrier"][];
            /** @description Whether the routes changed. */
            routes_changed: boolean;
            /** @description Carriers that are new. */
            started: string[];
            /** @description Carriers that go on untouched. */
            unchanged: string[];
        };
        /** @description A test message and what became of it so far. */
        CarrierTest: {
            /** @description The carrier. */
            carrier: string;
            /** @description When it was asked for. */
            created_at: string;
            /** @description When the last of it was heard. */
            done_at?: string | null;
            /** @description The code of a refusal or failure. */
            error?: string | null;
            /**
             * Format: int64
             * @description The test.
             */
            id: number;
            /** @description In words. */
            message: string;
            /** @description Whether nothing more will be heard of it. */
            over: boolean;
            /** @description The carrier's references of its parts. */
            references: string[];
            /** @description `queued`, `submitting`, `sent` (accepted), `delivered`, `undelivered`, `failed` (refused), `expired`, `unknown`. */
            status: string;
        };
        /** @description The answer of `GET /admin/carriers/{name}/trace`. */
        CarrierTrace: {
            /** @description Oldest first. */
            lines: components["schemas"]["CarrierTraceLine"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description Until when the carrier is traced; `null` when it is not. */
            until?: string | null;
        };
        /** @description A PDU or an exchange, masked: no text, no password, no whole number. */
        CarrierTraceLine: {
            /** @description When. */
            at: string;
            /** @description What went over the wire: `->` out, `<-` in. */
            line: string;
            /**
             * Format: int64
             * @description In order of the wire: ask for what is `after` the last one seen.
             */
            sequence: number;
        };
        /** @description A webhook that was changed. */
        ChangedWebhook: {
            /** @description For people. */
            message: string;
            /** @description As it is now. */
            webhook: components["schemas"]["Webhook"];
        };
        /** @description The old password and the new one. */
        ChangePassword: {
            /** @description The password as it is; `old_password` is taken as well. */
            current_password?: string;
            /** @description The new password, at least 8 characters; `new_password` is taken as well. */
            password?: string;
            /** @description The new password again; `confirm_password` is taken as well. */
            password_confirmation?: string;
        };
        /** @description The KingsChat account of a user. */
        ChatLink: {
            /** @description The person's picture there. */
            avatar_url?: string | null;
            /** @description When it was last signed in with. */
            last_login_at?: string | null;
            /** @description Whether there is one. */
            linked: boolean;
            /** @description When it was linked. */
            linked_at?: string | null;
            /** @description What the person is called there. */
            username?: string | null;
        };
        /** @description What a page needs to offer the sign-in. Nothing of it is secret. */
        ChatOptions: {
            /** @description The popup's page. */
            accounts_url: string;
            /** @description Where the popup's message may come from; everything else is not to be believed. */
            allowed_origins: string[];
            /** @description The id of our application there. */
            client_id: string;
            /** @description Whether the newer flow can be used: `POST /api/kingschat/start`. */
            code_flow: boolean;
            /** @description Whether it can be offered. */
            enabled: boolean;
            /** @description `dev`, `staging` or `prod`. */
            environment: string;
            /** @description What the popup asks for. */
            scopes: string[];
        };
        /** @description Where a sign-in stands that began no session (yet). */
        ChatProgress: {
            /** @description For people. */
            message: string;
            /** @description `waiting` or `linked`. */
            status: string;
        };
        /** @description The answer to a sign-in by KingsChat: that of every sign-in, with the token where this call's clients look. */
        ChatSignedIn: components["schemas"]["SignedIn"] & {
            /** @description The bearer token. */
            access_token: string;
            /** @description The same. */
            data: components["schemas"]["ChatToken"];
        };
        /** @description A sign-in that was begun. */
        ChatStarted: {
            /** @description When both are worth nothing any more. */
            expires_at: string;
            /** @description What this browser shows to get its session: `POST /api/kingschat/finish`. It goes nowhere else. */
            state: string;
            /** @description Where to send the person. */
            url: string;
        };
        /** @description A bearer token. */
        ChatToken: {
            /** @description The token. */
            access_token: string;
        };
        /** @description What `talkdrumd check` found the last time. */
        CheckFigures: {
            /** @description When. */
            checked_at: string;
            /**
             * Format: int64
             * @description How many findings there were.
             */
            findings: number;
            /** @description The first of them. */
            first?: string | null;
            /** @description Whether everything added up. */
            ok: boolean;
        };
        /** @description Where a card payment is made. */
        Checkout: {
            /** @description Where it is paid. */
            authorization_url: string;
            /** @description The reference to confirm it by. */
            reference: string;
        };
        /** @description A code was sent, if there is anybody to send it to. */
        CodeSent: {
            /** @description For people. */
            message: string;
            /**
             * Format: int64
             * @description Before another one can be asked for.
             */
            resend_after_s: number;
            /**
             * Format: int64
             * @description How long it is good.
             */
            valid_for_s: number;
        };
        /** @description The answer of `confirm-...`. */
        Confirmed: {
            /** @description All runs, one for each start time. */
            campaigns: components["schemas"]["Campaign"][];
            /** @description The first run. */
            details: components["schemas"]["Campaign"];
            /** @description For people: `SMS Sent`, or when it will be. */
            message: string;
        };
        /** @description The code that came to the new address. */
        ConfirmEmail: {
            /** @description Six digits. */
            code?: string;
        };
        /** @description Which payment. */
        ConfirmEspees: {
            /** @description Its reference: the `payment-ref` that the payment began with. */
            payment_ref: string;
        };
        /** @description Which payment. */
        ConfirmPaystack: {
            /** @description Its reference: the reference that the payment began with. */
            reference: string;
        };
        /** @description The code that came to the new number. */
        ConfirmPhone: {
            /** @description Six digits. */
            code?: string;
        };
        /** @description A contact: a number in a group. */
        Contact: {
            /** @description RFC 3339. */
            created_at: string;
            /** @description Empty when it is not known. */
            email: string;
            /** @description The other merge fields. */
            fields: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description Its group.
             */
            group_id: number;
            /**
             * Format: int64
             * @description The contact's id.
             */
            id: number;
            /** @description Empty when it is not known. */
            name: string;
            /** @description The number in digits with country code. */
            phone: string;
            /** @description RFC 3339. */
            updated_at: string;
        };
        /** @description The business's postal address. */
        ContactAddress: {
            /** @description One record, or none while it is not set. */
            "Contact-address": components["schemas"]["SettingRecord"][];
        };
        /** @description A contact that was made or changed. */
        ContactAnswer: {
            /** @description The contact. */
            contact: components["schemas"]["Contact"];
            /** @description For people. */
            message: string;
        };
        /** @description The address that visitors write to. */
        ContactEmail: {
            /** @description One record, or none while it is not set. */
            "Contact-email": components["schemas"]["SettingRecord"][];
        };
        /** @description The number that visitors call. */
        ContactPhone: {
            /** @description One record, or none while it is not set. */
            "Contact-phone": components["schemas"]["SettingRecord"][];
        };
        /** @description `{"contacts": [...]}`. */
        Contacts: {
            /** @description Newest first, unless asked otherwise. */
            contacts: components["schemas"]["Contact"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `{"contacts": [...]}`, each with its groups. */
        ContactsWithGroups: {
            /** @description Newest first, unless asked otherwise. */
            contacts: components["schemas"]["ContactWithGroups"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A contact with every group that holds its number. */
        ContactWithGroups: components["schemas"]["Contact"] & {
            /** @description The groups of the caller that hold the number. */
            groups: components["schemas"]["GroupName"][];
        };
        /** @description What a message says. Which fields are needed depends on its kind. */
        ContentForm: {
            /** @description Company on a card. */
            company?: string | null;
            /** @description E-mail on a card. */
            email?: string | null;
            /** @description Given name on a card. */
            first_name?: string | null;
            /** @description Job title on a card. */
            job_title?: string | null;
            /** @description Family name on a card. */
            last_name?: string | null;
            /**
             * @description The text of text, flash and unicode messages. In a campaign `{column}` is filled from the file or the groups; in a
             *     message to one number braces are braces.
             */
            message?: string | null;
            /** @description The text of unicode messages, under the specification's name. */
            msg?: string | null;
            /** @description Telephone on a card. */
            telephone?: string | null;
            /** @description Title of a WAP push. */
            wap_title?: string | null;
            /** @description Link of a WAP push. */
            wap_url?: string | null;
        };
        /** @description How many messages are in which status. They add up to the campaign's recipients. */
        Counts: {
            /**
             * Format: int64
             * @description Never sent, because the campaign was cancelled.
             */
            cancelled: number;
            /**
             * Format: int64
             * @description On the handset.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Validity ran out.
             */
            expired: number;
            /**
             * Format: int64
             * @description Waiting to be sent.
             */
            queued: number;
            /**
             * Format: int64
             * @description Refused by the carrier.
             */
            rejected: number;
            /**
             * Format: int64
             * @description Accepted by the carrier, receipt awaited.
             */
            submitted: number;
            /**
             * Format: int64
             * @description Claimed, not answered yet.
             */
            submitting: number;
            /**
             * Format: int64
             * @description Never sent, because the number opted out or is on the Do-Not-Disturb list.
             */
            suppressed: number;
            /**
             * Format: int64
             * @description Not deliverable.
             */
            undelivered: number;
            /**
             * Format: int64
             * @description It is not known whether it was sent.
             */
            unknown: number;
        };
        /** @description The key to be made. */
        CreateApiKey: {
            /** @description When it ends by itself: a day, which counts whole, or a time, local ones in your zone. Never when left out. */
            expires_at?: string | null;
            /** @description What you call it. */
            name?: string;
            /** @description What messages are for that are sent with it and do not say so: `promotional`, `transactional` or `otp`. */
            purpose?: string | null;
            /** @description `read`, `send`, `admin`: repeated, or in one text with commas. */
            scopes?: string[];
        };
        /** @description The contact to be added. */
        CreateContact: {
            /** @description The e-mail address. */
            email?: string;
            /** @description Other merge fields as `city=Lagos`; repeated. */
            field?: string[];
            /** @description The name. */
            name?: string;
            /** @description The number, in any usual form. */
            phone?: string;
        };
        /** @description A form to be kept. */
        CreateDraft: {
            /** @description Its fields, an object in JSON of at most 256 KiB, in a text: answered as they are. */
            fields?: string;
            /** @description What it is of: `sms` or `call`. */
            form?: string;
            /**
             * @description A key of your own, of at most 100 visible ASCII characters: with one that you have a draft of, that draft is answered
             *     as it is, and none is begun.
             */
            key?: string | null;
            /** @description What it is shown as; cut after 100 characters. */
            title?: string;
        };
        /** @description The user that was made. */
        CreatedUser: {
            /** @description For people. */
            message: string;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        /** @description The user to be made. */
        CreateUser: {
            /** @description The e-mail address. */
            email?: string;
            /**
             * @description Whether the e-mail address counts as verified, as it does unless you say `false`: then the first sign-in asks for a
             *     code sent to it.
             */
            email_verified?: boolean | null;
            /** @description The person's or business's name. */
            name?: string;
            /** @description At least 8 characters. */
            password?: string;
            /** @description The phone number, as `0803...` or with a country code. */
            phone_number?: string | null;
            /** @description `user` or `admin`; `user` when it is not given. */
            role?: string | null;
            /** @description The name to sign in by: 3 to 32 letters, digits, dots, dashes or underscores. */
            username?: string;
        };
        /** @description The address to be added. */
        CreateWebhook: {
            /** @description What you say of it. */
            description?: string;
            /** @description The events that it receives: repeated, or in one text with commas; everything when none is given. */
            events?: string[];
            /** @description `https://...`, reached over the Internet. */
            url?: string;
        };
        /** @description What became of a reload at one daemon. */
        DaemonReloaded: {
            /** @description In words. */
            message: string;
            /** @description Its host and port. */
            name: string;
            /**
             * @description `reloaded`; `started` after the reload was asked for, and so with the new file; `refused`: its own file cannot be
             *     used, and nothing has changed there; `silent`: it did not say in time.
             */
            outcome: string;
            /** @description `api`, `worker` or `all`. */
            role: string;
        };
        /** @description Why it is refused. */
        DisapproveSenderId: {
            /** @description For the owner; at most 500 characters. */
            reason?: string;
        };
        /** @description `POST /admin/dnd`. */
        DndImported: {
            /** @description In words. */
            message: string;
            /**
             * Format: int64
             * @description Numbers on the list now.
             */
            total: number;
            /**
             * Format: int64
             * @description Entries that are no number.
             */
            total_invalid: number;
            /**
             * Format: int64
             * @description Numbers that were read.
             */
            total_read: number;
        };
        /** @description `GET /admin/dnd`. */
        DndNumbers: {
            /** @description Numbers on the Do-Not-Disturb list, in order, in E.164 without `+`. */
            numbers: string[];
            /**
             * Format: int64
             * @description How many it has.
             */
            total: number;
        };
        /** @description A file of a draft. */
        DraftFile: {
            /**
             * Format: int64
             * @description Its length.
             */
            bytes: number;
            /** @description When it was added. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its name. */
            name: string;
        };
        /** @description A draft that a file was added to. */
        DraftFileAdded: {
            /** @description The draft as it is now. */
            draft: components["schemas"]["FormDraft"];
            /**
             * Format: int64
             * @description The file's id.
             */
            file_id: number;
            /** @description What was done. */
            message: string;
        };
        /** @description A file of a draft. */
        DraftFileForm: {
            /**
             * Format: binary
             * @description The file: recipients as a CSV or text file.
             */
            file?: Blob | null;
            /**
             * Format: int64
             * @description The version of the draft that it is added to.
             */
            version?: number;
        };
        /** @description A draft that was changed. */
        DraftSaved: {
            /** @description The draft as it is now. */
            draft: components["schemas"]["FormDraft"];
            /** @description What was done. */
            message: string;
        };
        /** @description A profile after a change. */
        EditedProfile: {
            /** @description For people. */
            message: string;
            /** @description Whether a new e-mail address waits for its code. */
            requires_email_verification: boolean;
            /** @description Whether a new phone number waits for its code. */
            requires_phone_verification?: boolean;
            /** @description The user. */
            user: components["schemas"]["User"];
        };
        /** @description What changes; what is not sent stays as it is. */
        EditProfile: {
            /**
             * Format: binary
             * @description A picture as a file: PNG, JPEG or WebP, at most 512 KiB; `photo` is taken as well.
             */
            avatar?: Blob | null;
            /**
             * @description A new e-mail address: a code is sent there, and it counts once `/api/confirm-email` has the code. Needs a sign-in
             *     or `POST /api/sessions/reauthenticate` within the last ten minutes, unless it is the present address.
             */
            email?: string | null;
            /** @description As you put it; nothing, to take it back. */
            gender?: string | null;
            /** @description The person's or business's name. */
            name?: string | null;
            /**
             * @description A new phone number, as `0803...` or with a country code: a code is sent there, and it counts once
             *     `/api/confirm-phone` has the code. `phone` is taken as well.
             */
            phone_number?: string | null;
            /** @description Takes the picture away. */
            remove_avatar?: boolean;
            /** @description A time zone such as `Africa/Lagos`. */
            zone?: string | null;
        };
        /** @description What is to change; what is not given stays as it is. */
        EditWebhook: {
            /** @description What you say of it. */
            description?: string | null;
            /** @description The events that it receives: repeated, or in one text with commas. */
            events?: string[];
            /** @description Whether events are sent to it. */
            is_active?: boolean | null;
            /**
             * @description `https://...`, reached over the Internet. Another one than the present needs a session with a sign-in or
             *     `POST /api/sessions/reauthenticate` within the last ten minutes; an e-mail reports it to the owner.
             */
            url?: string | null;
        };
        /** @description What a call erased. It goes on for some seconds; where there is more it says so. */
        ErasedSubject: {
            /** @description Whether nothing is left in free places of the file either: a small SQLite database is rewritten once all is erased. */
            is_clean: boolean;
            /** @description Where the next call goes on, to be sent back as it is; `null` when all is erased. */
            next?: string | null;
            /** @description The number, E.164 without `+`. */
            number: string;
            /**
             * @description What holds the number yet, once all else is erased: inbound messages that are not handled, notices that are not sent, and
             *     events that are still being told to customers' programs. Erase the number again when they are over.
             */
            stays?: components["schemas"]["ErasedTable"][];
            /** @description What was erased by this call. */
            tables: components["schemas"]["ErasedTable"][];
        };
        /** @description How much was erased from a table. */
        ErasedTable: {
            /**
             * Format: int64
             * @description Rows that were removed or masked, or that stay.
             */
            rows: number;
            /** @description The table; `messages` are in several. */
            table: string;
        };
        /** @description `POST /admin/subjects/{number}/erase`. */
        EraseSubject: {
            /** @description Where to go on: `next` of the answer before; absent at first. */
            from?: string | null;
        };
        /** @description Our key at ESPEES. */
        EspeeApiKey: {
            /** @description One record, or none while it is not set. */
            espeeApiKey: components["schemas"]["SettingRecord"][];
        };
        /** @description `POST /admin/assign-espee/{id}`. */
        EspeesAssigned: {
            /** @description The wallet in ESPEES after it. */
            espee_balance: components["schemas"]["Amount"];
            /** @description For people. */
            message: string;
        };
        /** @description `POST /api/payment-initiate`. */
        EspeesBegun: {
            /** @description The payment. */
            payment: components["schemas"]["Payment"];
            /** @description Where it is paid. */
            payment_url: string;
            /** @description The reference to confirm it by. */
            "payment-ref": string;
        };
        /** @description A field at fault. */
        FieldProblem: {
            /** @description The field's name in the request. */
            field: string;
            /** @description What is wrong with it. */
            message: string;
        };
        /** @description `GET /admin/figures`. */
        Figures: {
            /** @description Each carrier's health. */
            carriers: components["schemas"]["Carrier"][];
            /** @description From when on traffic and money are counted. */
            from: string;
            /** @description By the hour in which campaigns started, oldest first; hours without any are left out. */
            hours: components["schemas"]["HourFigures"][];
            last_check?: components["schemas"]["CheckFigures"] | null;
            /** @description Money by currency. */
            money: components["schemas"]["MoneyFigures"][];
            /** @description By network, most first; what became of the messages follows half a minute behind. */
            networks: components["schemas"]["NetworkOutcome"][];
            /** @description Since when the oldest unsent message waits. */
            oldest_unsent_at?: string | null;
            /** @description Campaigns that are not over. */
            open_campaigns: components["schemas"]["OpenCampaigns"];
            /**
             * Format: int64
             * @description How long that is, in seconds.
             */
            queue_age_s: number;
            /**
             * Format: int64
             * @description How many days what is past its time of `[retention]` waits to be erased, of the class that waits longest; `null` where nothing is
             *     erased by age.
             */
            retention_days_behind?: number | null;
            /** @description Of the busiest senders. */
            senders: components["schemas"]["SenderFigures"][];
            /** @description Why messages wait, in one line; `null` when nothing stands in the way of any. */
            standstill?: string | null;
            /** @description All traffic. */
            traffic: components["schemas"]["Traffic"];
            /**
             * Format: int64
             * @description Messages for a person to settle.
             */
            unknown_messages: number;
            /** @description What an administrator should fix, a sentence each. */
            warnings?: string[];
        };
        /**
         * @description `GET /api/campaigns/{id}/form`: what the form of a campaign said, under the names of the forms' fields. Fields of other
         *     kinds are left out.
         */
        FilledForm: {
            /** @description `campaign:ID` for its recipients, where those groups are not all of them. */
            audience: string[];
            /** @description The id of the recording that calls play, while it is kept. */
            audioUrl?: string | null;
            /** @description How many got their message first. Numbers of the sender's own, which did too, are not kept and not counted. */
            canary?: string | null;
            /**
             * Format: int32
             * @description How many of a hundred of these had to be delivered.
             */
            canary_delivery?: number | null;
            /**
             * Format: int32
             * @description How many seconds receipts were waited for.
             */
            canary_wait_s?: number | null;
            /** @description The company on a card. */
            company?: string | null;
            /** @description The keys of the question that calls ask; empty where they ask none. */
            digits?: components["schemas"]["QuestionKey"][];
            /** @description The e-mail address on a card. */
            email?: string | null;
            /** @description The first name on a card. */
            first_name?: string | null;
            /** @description Ids of its groups that are still there. */
            groups: number[];
            /** @description The job title on a card. */
            job_title?: string | null;
            /** @description The last name on a card. */
            last_name?: string | null;
            /** @description The text, with its merge fields unfilled; of unicode, too. */
            message?: string | null;
            /** @description The own number that calls came from. */
            own_number?: string | null;
            /** @description `espees` or `paystack`. */
            payment_method: string;
            /**
             * Format: int32
             * @description How often the question is played at most.
             */
            plays?: number | null;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description The sender id; of calls the label, or the number that they came from. */
            senderid: string;
            /** @description `text`, `flash`, `unicode`, `wap-push`, `vcard`, or `voice`. */
            sms_type: string;
            /** @description The telephone on a card. */
            telephone?: string | null;
            /** @description The text that calls speak. */
            ttsMsg?: string | null;
            /** @description Its voice. */
            ttsVoice?: string | null;
            /** @description The virtual number that calls came from. */
            virtual_number?: string | null;
            /** @description The title of a WAP push. */
            wap_title?: string | null;
            /** @description The link of a WAP push. */
            wap_url?: string | null;
        };
        /** @description The browser that asks. */
        Finish: {
            /** @description What `POST /api/kingschat/start` gave it. */
            state?: string;
        };
        /** @description Whose password is forgotten. */
        ForgotPassword: {
            /** @description The account's e-mail address. */
            email?: string;
        };
        /** @description A form that is not sent yet. */
        FormDraft: {
            /** @description When it was begun. */
            created_at: string;
            /** @description The fields as they were saved, an object in JSON; left out of lists. */
            fields?: string | null;
            /** @description Its files, in the order in which they were added. */
            files: components["schemas"]["DraftFile"][];
            /** @description What it is of: `sms` or `call`. */
            form: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The key that the page made which began it, if it did. */
            key?: string | null;
            /** @description What it is shown as, such as the beginning of its text. */
            title: string;
            /** @description When it was last changed. A draft that is not changed for 30 days is removed. */
            updated_at: string;
            /**
             * Format: int64
             * @description One more with every change, those of its files included. A change names the version that it is of.
             */
            version: number;
        };
        /** @description `GET /api/drafts`. */
        FormDrafts: {
            /** @description The last changed first. */
            drafts: components["schemas"]["FormDraft"][];
        };
        /** @description A group of contacts. */
        Group: {
            /** @description Merge fields beside `phone`, `name` and `email`. */
            columns: string[];
            /**
             * Format: int64
             * @description How many contacts it holds.
             */
            contacts_count: number;
            /** @description RFC 3339. */
            created_at: string;
            /** @description What it is for. */
            description: string;
            /** @description Its name, which no other group of the user has. */
            group_name: string;
            /**
             * Format: int64
             * @description The group's id.
             */
            id: number;
            /** @description When it or its contacts changed last, RFC 3339. */
            updated_at: string;
        };
        /** @description A group that was made or changed. */
        GroupAnswer: {
            /** @description The group. */
            group: components["schemas"]["Group"];
            /** @description For people. */
            message: string;
        };
        /** @description What a group is called. */
        GroupForm: {
            /** @description What it is for. */
            description?: string;
            /** @description Its name, which no other group of the caller has. */
            group_name?: string;
        };
        /** @description A group by name. */
        GroupName: {
            /** @description Its name. */
            group_name: string;
            /**
             * Format: int64
             * @description The group's id.
             */
            id: number;
        };
        /** @description `{"groups": [...]}`. */
        Groups: {
            /** @description Newest first. */
            groups: components["schemas"]["Group"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `GET /api/get/group/{id}`. */
        GroupShown: {
            /** @description The group. */
            group: components["schemas"]["Group"];
        };
        /** @description Something that happened to a message. */
        HistoryEntry: {
            /** @description When, where it was recorded. */
            at?: string | null;
            /** @description In words. */
            note: string;
            /** @description The status it took. */
            status: string;
        };
        /** @description An administrator's word. */
        HoldCarrier: {
            /** @description Why: for the next operator who looks at the carrier. At most 200 characters. */
            reason?: string;
        };
        /** @description Traffic of the campaigns that started in an hour. */
        HourFigures: components["schemas"]["Traffic"] & {
            /** @description Its beginning. */
            hour: string;
        };
        /** @description An import and how far it is. */
        Import: {
            /**
             * Format: int64
             * @description New ones that were written.
             */
            added: number;
            /** @description Which column was taken for what. */
            columns: components["schemas"]["ImportColumns"];
            /** @description RFC 3339. */
            created_at: string;
            /**
             * Format: int64
             * @description Numbers given more than once, of which the first was taken.
             */
            duplicates: number;
            /** @description Why it failed, and what to do. */
            error?: string | null;
            /** @description What the file was called; empty where that is not known. */
            file_name?: string;
            /** @description RFC 3339. */
            finished_at?: string | null;
            /**
             * Format: int64
             * @description The group, when it is one.
             */
            group_id?: number | null;
            /**
             * Format: int64
             * @description The import's id.
             */
            id: number;
            /**
             * Format: int64
             * @description Entries that are no usable number.
             */
            invalid: number;
            /** @description Whether its numbers can be sent to: `audience` is then `import:ID`. */
            is_sendable?: boolean;
            /**
             * Format: int64
             * @description Rows of the file that were read.
             */
            rows_read: number;
            /** @description `running`, `completed`, `failed` or `interrupted`. */
            status: string;
            /** @description `group` or `optouts`. */
            target: string;
            /**
             * Format: int64
             * @description Known ones that were the same.
             */
            unchanged: number;
            /**
             * Format: int64
             * @description Known ones that changed.
             */
            updated: number;
            /**
             * Format: int64
             * @description Different numbers among them; known when the file was read.
             */
            valid: number;
            /**
             * Format: int64
             * @description Contacts taken without a field that cannot be used, such as a broken e-mail address.
             */
            warnings: number;
        };
        /** @description An import that was begun, or is done. */
        ImportAnswer: {
            group?: components["schemas"]["Group"] | null;
            /** @description The import. */
            import: components["schemas"]["Import"];
            /** @description For people. */
            message: string;
        };
        /** @description Which column of a file was taken for what. */
        ImportColumns: {
            /** @description The column with the address. */
            email?: string | null;
            /** @description Merge fields, under the names that messages use. */
            fields?: string[];
            /** @description The columns with the name: one, or first and last. */
            name?: string[];
            /** @description The same in sentences. */
            notices?: string[];
            /** @description The column with the numbers; not there when the file is a list. */
            phone?: string | null;
            /** @description All columns with numbers that were read: the one above, and others that were asked for. */
            phones?: string[];
            /** @description Columns that also hold numbers and were not read, 20 at most and their titles cut to 60 characters: to read them, name all that are wanted in `phone_column`. */
            unread?: string[];
        };
        /** @description Numbers for the list. */
        ImportDnd: {
            /**
             * @description Whether a list that is replaced may shrink by more than a tenth; without it that is refused. A list that comes in
             *     pieces says so with its first piece, which alone replaces.
             */
            allow_shrink?: boolean;
            /** @description Numbers, separated by anything: up to the limit of a body (about 60,000). Longer lists are sent in pieces. */
            numbers?: string | null;
            /** @description Whether the list is emptied first. */
            replace?: boolean;
        };
        /** @description What is imported, and which column is what. */
        ImportForm: {
            /** @description What that group is for. */
            description?: string;
            /** @description The column with the e-mail addresses; detected when it is not given. */
            email_column?: string | null;
            /**
             * Format: binary
             * @description A CSV or text file of any size.
             */
            file?: Blob | null;
            /** @description The name of the group that is made. */
            group_name?: string;
            /** @description A column that is left out; repeated. All others become merge fields. */
            ignore_column?: string[];
            /** @description The column with the names; detected when it is not given. */
            name_column?: string | null;
            /** @description Noted with every opt-out. */
            note?: string;
            /**
             * @description The column with the numbers; detected when it is not given. Repeated where several are to be read: each number of
             *     a row is a contact.
             */
            phone_column?: string[];
            /**
             * @description Which messages an opt-out ends whose row does not say it in a column `reach`: `all` but codes, which is meant when it is
             *     left out, or `promotional`.
             */
            reach?: string | null;
        };
        /** @description `{"imports": [...]}`. */
        Imports: {
            /** @description Newest first. */
            imports: components["schemas"]["Import"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A page of inactive users. */
        InactiveUsers: {
            /** @description Newest first, unless sorted otherwise. */
            inactive_users: components["schemas"]["User"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A message from a handset. */
        InboundMessage: {
            /** @description What was done: `none`, `stop` (an opt-out was made) or `start` (one was taken back); empty until it was looked at. */
            action?: string | null;
            /** @description The carrier that it came from. */
            carrier: string;
            /** @description The handset's number, as the carrier names it. */
            from: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: int64
             * @description How many of them never came: then `text` has `[…]` in their places, and nothing is done about it.
             */
            parts_missing: number;
            /**
             * Format: int64
             * @description How many parts the handset made of it.
             */
            parts_total: number;
            /** @description When it came; the last part of it. */
            received_at: string;
            /** @description What it says. */
            text: string;
            /** @description The number or short code that it was sent to. */
            to: string;
            /**
             * Format: int64
             * @description Whose it is, if anybody's.
             */
            user_id?: number | null;
            /** @description Whose it is, by name. */
            username?: string | null;
        };
        /** @description `{"messages": [...]}`. */
        InboundMessages: {
            /** @description Newest first. */
            messages: components["schemas"]["InboundMessage"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The payment. */
        InitiateEspees: {
            /** @description What it is for, in the payer's words. */
            narration: string;
            /** @description How many ESPEES, with at most six decimals. */
            price: components["schemas"]["Amount"];
            /** @description A label of the client's own: ours, which ESPEES gets, is unique. */
            product_sku?: string | null;
        };
        /** @description The payment. */
        InitiatePaystack: {
            /** @description How much in Naira, with at most two decimals. */
            amount: components["schemas"]["Amount"];
            /** @description What it is for, in the payer's words. */
            narration?: string | null;
        };
        /** @description Messages that stay where they are. */
        KeptMessages: {
            /**
             * Format: int64
             * @description How many.
             */
            messages: number;
            /** @description Why. */
            reason: string;
        };
        /** @description `GET /api/get-last-sent-message`. */
        LastSentMessage: {
            /** @description When the newest campaign started to send; null before the first. */
            last_sent_message_time?: string | null;
        };
        /** @description A legal hold on a customer's data. */
        LegalHold: {
            /** @description Since when, in RFC 3339. */
            held_at: string;
            /** @description The name of the administrator who put it, or gave its last reason; `null` where that account was removed. */
            held_by?: string | null;
            /** @description Why. */
            reason: string;
        };
        /** @description Who signs in. */
        Login: {
            /** @description The e-mail address, for clients whose form asks for one. */
            email?: string;
            /** @description The password. */
            password?: string;
            /** @description The user name or e-mail address; `email` is taken as well. */
            username?: string;
        };
        /** @description The answer to a right password: a session, or the wish for a code. */
        LoginAnswer: components["schemas"]["SignedIn"] | components["schemas"]["VerificationRequired"];
        /** @description Whether the platform is in maintenance. */
        MaintenanceStatus: {
            /** @description `1` while users and visitors are kept out, else `0`. */
            maintenance_mode: string;
            /** @description What they are told. */
            message: string;
            /** @description When it was last switched. */
            updated_at?: string | null;
        };
        /** @description The state after it. */
        MaintenanceSwitched: {
            /** @description The state now. */
            maintenance: components["schemas"]["MaintenanceStatus"];
            /** @description For people. */
            message: string;
        };
        /** @description What is to be done with an announcement. */
        ManageAnnouncement: {
            /** @description `create`, `edit`, `activate`, `deactivate` or `delete`. */
            action?: string;
            /** @description The text, plain, at most 1,000 characters: to create and to edit. */
            announcement?: string;
            /**
             * Format: int64
             * @description Which one: for everything but `create`.
             */
            id?: number | null;
        };
        /** @description What a carrier was given on one day for one network, what customers paid for it and what it costs. */
        Margin: {
            /** @description The carrier. */
            carrier: string;
            cost?: components["schemas"]["Amount"] | null;
            /** @description In which currency. */
            cost_currency?: string | null;
            /** @description In which currency. */
            currency: string;
            /** @description The day in Africa/Lagos, `YYYY-MM-DD`. */
            day: string;
            margin?: components["schemas"]["Amount"] | null;
            /**
             * Format: int64
             * @description Messages that the carrier took.
             */
            messages: number;
            /** @description The network, by the number's prefix. */
            network: string;
            /** @description What customers paid, refunds taken off. */
            revenue: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Their short messages: what the carrier's invoice counts.
             */
            segments: number;
        };
        /** @description `GET /admin/margins`. */
        Margins: {
            /** @description By day, carrier and network, newest day first. */
            margins: components["schemas"]["Margin"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description An answer that is only a sentence. */
        Message: {
            /** @description For people. */
            message: string;
        };
        /** @description One message of a delivery report. */
        MessageRow: {
            call?: components["schemas"]["CallDetails"] | null;
            /**
             * Format: int64
             * @description Its campaign.
             */
            campaign_id: number;
            /** @description The carrier it goes by, for administrators. */
            carrier?: string | null;
            /** @description The carrier's reference. */
            carrier_ref?: string | null;
            /** @description The currency of its price: `espees` or `naira`. */
            currency?: string;
            /** @description When its receipt came, or its call was over. */
            done_at?: string | null;
            /**
             * Format: int64
             * @description The message's id.
             */
            id: number;
            /** @description The network by prefix: a hint. */
            network: string;
            /**
             * Format: int64
             * @description Billed pages; of a call the pulses that are charged, or reserved until it is over.
             */
            pages: number;
            /** @description Its price. */
            price: components["schemas"]["Amount"];
            /** @description What it is for: `promotional`, `transactional` or `otp`. */
            purpose?: components["schemas"]["Purpose"];
            /** @description Why, in words. */
            reason?: string | null;
            /** @description The sender id. */
            senderid: string;
            /** @description `queued`, `submitting`, `submitted`, `delivered`, ... */
            status: string;
            /** @description When the carrier answered. */
            submitted_at?: string | null;
            /** @description The handset, E.164 without `+`. */
            to: string;
            /**
             * Format: int64
             * @description Whose it is, for administrators.
             */
            user_id?: number | null;
            /** @description Whose it is, by name, for administrators. */
            username?: string | null;
        };
        /** @description A page of messages. */
        Messages: {
            /** @description In order of sending; look-ups by number newest first. */
            messages: components["schemas"]["MessageRow"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The answer of `POST /api/messages`. */
        MessageSent: {
            /** @description The wallet that paid, now. */
            balance: components["schemas"]["Amount"];
            /** @description When it goes out, where it falls into the quiet hours. */
            delayed_start?: string | null;
            /** @description The message, with its price; as it is by now, when the same request had sent it before. */
            details: components["schemas"]["MessageRow"];
            /** @description For people: `SMS Sent`, or what it waits for. */
            message: string;
            /** @description What it says: as it goes out, look-alikes replaced. */
            text: string;
            /** @description Whether the same request had sent it before, so that nothing was charged now. */
            was_sent?: boolean;
        };
        /** @description Money of one currency. */
        MoneyFigures: {
            /** @description Credited by administrators. */
            credited: components["schemas"]["Amount"];
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description Paid in by customers. */
            paid_in: components["schemas"]["Amount"];
            /** @description Released to wallets: reserved and not sent. */
            released: components["schemas"]["Amount"];
            /** @description Captured for accepted messages, less what was refunded later. */
            revenue: components["schemas"]["Amount"];
        };
        /** @description Messages that go by another carrier now. */
        MovedMessages: {
            /** @description That carrier. */
            carrier: string;
            /**
             * Format: int64
             * @description How many.
             */
            messages: number;
        };
        /** @description `POST /admin/assign-naira/{id}`. */
        NairaAssigned: {
            /** @description For people. */
            message: string;
            /** @description The payment reference: the one given, or the one that was made up. */
            payment_ref: string;
            /** @description The wallet in Naira after it. */
            paystack_balance: components["schemas"]["Amount"];
        };
        /** @description What became of the messages to a network. What is missing to `ordered` is not sent yet, cancelled or suppressed. */
        NetworkOutcome: {
            /**
             * Format: int64
             * @description Accepted by the carrier, no receipt yet.
             */
            awaited: number;
            /**
             * Format: int64
             * @description Delivered.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Delivered, of a thousand of which it is known whether they were; `null` while there is none.
             */
            delivered_per_mille?: number | null;
            /**
             * Format: int64
             * @description Not delivered in time.
             */
            expired: number;
            /** @description The network the numbers were issued to: a hint. */
            network: string;
            /**
             * Format: int64
             * @description Recipients.
             */
            ordered: number;
            /**
             * Format: int64
             * @description Refused.
             */
            rejected: number;
            /**
             * Format: int64
             * @description Accepted and not delivered.
             */
            undelivered: number;
            /**
             * Format: int64
             * @description It is not known whether they were sent.
             */
            unknown: number;
        };
        /** @description The answer to making a key: the only time its secret is shown. */
        NewApiKey: {
            /** @description What was made. */
            api_key: components["schemas"]["ApiKey"];
            /** @description The key itself, `td_...`. */
            key: string;
            /** @description For people. */
            message: string;
        };
        /** @description Open campaigns. */
        OpenCampaigns: {
            /**
             * Format: int64
             * @description Are paused.
             */
            paused: number;
            /**
             * Format: int64
             * @description Wait for their time.
             */
            scheduled: number;
            /**
             * Format: int64
             * @description Are being sent.
             */
            sending: number;
        };
        /** @description A number that gets no messages. */
        OptOut: {
            /** @description Since when, RFC 3339. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description What was noted with it. */
            note: string;
            /** @description The number in digits with country code. */
            phone: string;
            /** @description Which messages it ends: `promotional`, or `all` but codes. */
            reach?: components["schemas"]["OptOutReach"];
            /** @description `manual`, `stop`, `import` or `carrier`. */
            source: string;
        };
        /** @description An opt-out that was made. */
        OptOutAnswer: {
            /** @description For people. */
            message: string;
            /** @description The opt-out. */
            optout: components["schemas"]["OptOut"];
        };
        /**
         * @description Which messages an opt-out ends.
         * @enum {string}
         */
        OptOutReach: "promotional" | "all";
        /** @description `{"optouts": [...]}`. */
        OptOuts: {
            /** @description Newest first. */
            optouts: components["schemas"]["OptOut"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description What an administrator wants of a breaker. */
        OrderBreaker: {
            /** @description The network, as routes name it: `mtn`. */
            network?: string;
            /** @description `closed`: promotional messages go to it at once; `open`: they wait. */
            state?: string;
        };
        /** @description A user's own phone as a caller id. */
        OwnNumber: {
            /** @description When the call that verified it began. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description The number, E.164 without `+`. */
            phone_number: string;
            /** @description `pending` or `verified`. */
            status: string;
            /**
             * Format: int64
             * @description Whose it is.
             */
            user_id: number;
            /** @description The owner's user name. */
            username: string;
        };
        /** @description A call that speaks a code to a number, to verify it: `GET /api/own-number-calls/{id}`. */
        OwnNumberCall: {
            /** @description When it was picked up. */
            answered_at?: string | null;
            /**
             * Format: int64
             * @description Trunks that it was tried over.
             */
            attempts: number;
            /** @description What these pulses cost. */
            charged: components["schemas"]["Amount"];
            /** @description Until when its code is good, unless another call is asked for meanwhile. */
            code_expires_at: string;
            /** @description When it was asked for. */
            created_at: string;
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description When it ended. */
            ended_at?: string | null;
            /** @description The number that it is from; none until a trunk has it. */
            from?: string | null;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description In words. */
            message: string;
            /**
             * @description How it ended: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error`, `failed`, or `unknown`
             *     where it was cut off; none before.
             */
            outcome?: string | null;
            /** @description Whether it is over. */
            over: boolean;
            /** @description The number that is called, E.164 without `+`. */
            phone_number: string;
            /**
             * Format: int64
             * @description Pulses that are charged: until it is over those that it may take at most, then those that it was up for.
             */
            pulses: number;
            /** @description What was refunded. */
            refunded: components["schemas"]["Amount"];
            /** @description When it rang. */
            ringing_at?: string | null;
            /**
             * Format: int64
             * @description How long it was up, in seconds, rounded up; 0 where it was not picked up.
             */
            seconds: number;
            /** @description `calling`, `ringing`, `answered` or `ended`. */
            status: string;
            /** @description The price of a pulse. */
            unit_price: components["schemas"]["Amount"];
        };
        /** @description `POST /api/voice-call` with `own_number` and no contacts. */
        OwnNumberCalled: {
            /** @description The call, which goes on. */
            details: components["schemas"]["OwnNumberCall"];
            /** @description `Code sent`. */
            message: string;
        };
        /** @description The price of a pulse of a call from an own number, in ESPEES. */
        OwnNumberPrice: {
            /** @description One record, or none while the price is not set. */
            "OWN-UNIT-PRICE": components["schemas"]["PriceRecord"][];
        };
        /** @description `GET /api/get-own-number` and `GET /admin/get-own-numbers`. */
        OwnNumbers: {
            /** @description Newest first, unless sorted otherwise. */
            "Own-Number": components["schemas"]["OwnNumber"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `POST /api/voice-call` with `own_number` and `validation_code`. */
        OwnNumberVerified: {
            /** @description The number, from which calls may go now. */
            details: components["schemas"]["OwnNumber"];
            /** @description `Number verified`. */
            message: string;
        };
        /** @description The answer to the withdrawal of an own number. */
        OwnNumberWithdrawn: {
            /**
             * Format: int64
             * @description How many campaigns were paused because they call from it.
             */
            campaigns_paused: number;
            /** @description For people. */
            message: string;
        };
        /** @description `GET /api/get-transaction-history`. */
        OwnTransactions: {
            /**
             * Format: int64
             * @description Ask with this as `beyond` for those.
             */
            beyond?: number | null;
            /** @description Whether there are more, beyond the 100,000 that one list reaches: older ones; newer ones with `order=asc`. */
            is_cut: boolean;
            /**
             * Format: int64
             * @description How many there are within reach.
             */
            total: number;
            /** @description Newest first. */
            transactions: components["schemas"]["Transaction"][];
        };
        /** @description A password that was reset, and what still opens the account beside it. */
        PasswordReset: {
            /** @description API keys that go on working, the newest first, at most ten. */
            api_keys?: components["schemas"]["ApiKey"][];
            /** @description Whether a KingsChat account is linked, which signs in without the password. */
            kingschat_linked?: boolean;
            /** @description For people. */
            message: string;
            /**
             * Format: int64
             * @description How many there are.
             */
            total_api_keys?: number;
        };
        /** @description A payment. */
        Payment: {
            /** @description How much is credited. */
            amount: components["schemas"]["Amount"];
            /** @description When it began. */
            created_at: string;
            /** @description `naira` or `espees`. */
            currency: string;
            /** @description When it is not waited for any more; a late success is credited all the same. */
            expires_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Whether real money moves. */
            live: boolean;
            /** @description The payer's words. */
            narration: string;
            /** @description When the provider is asked next. */
            next_check_at?: string | null;
            /** @description The reference to confirm it by: the provider's own where it has one, else ours. */
            payment_ref: string;
            /** @description Where it is paid, as long as it can be. */
            payment_url?: string | null;
            /** @description The client's label. */
            product_sku?: string | null;
            /** @description `paystack` or `espees`. */
            provider: string;
            /** @description Our reference. */
            reference: string;
            /** @description When it was credited. */
            settled_at?: string | null;
            /** @description `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`. */
            status: string;
            /** @description The same in words. */
            status_details: string;
            /**
             * Format: int64
             * @description Whose wallet it goes into.
             */
            user_id: number;
            /** @description That user's name, in lists for administrators. */
            username?: string | null;
        };
        /** @description `POST /api/payment-confirm`, `POST /api/paystack-payment-confirm`. */
        PaymentConfirmed: {
            /** @description The wallet after it. */
            balance: components["schemas"]["Amount"];
            /** @description For people. */
            message: string;
            /** @description The payment, which is settled. */
            payment: components["schemas"]["Payment"];
        };
        /** @description A refund or a dispute, as the provider told of it. */
        PaymentEvent: {
            /** @description The provider's name of it: `refund.processed`, `charge.dispute.create`, ... */
            event: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: int64
             * @description Our payment, where it is one.
             */
            payment_id?: number | null;
            /** @description `paystack`. */
            provider: string;
            /** @description When it came. */
            received_at: string;
            /** @description Of which transaction. */
            reference?: string | null;
            /** @description Amount and words. */
            summary: string;
            /**
             * Format: int64
             * @description Whose.
             */
            user_id?: number | null;
            /** @description That user's name. */
            username?: string | null;
        };
        /** @description `GET /admin/payment-events`. */
        PaymentEvents: {
            /** @description Newest first. */
            events: components["schemas"]["PaymentEvent"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `GET /api/payments`, `GET /admin/payments`. */
        Payments: {
            /** @description Newest first. */
            payments: components["schemas"]["Payment"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description `POST /api/paystack-payment-initiate`. */
        PaystackBegun: {
            /** @description The same address. */
            authorization_url: string;
            /** @description Reference and address. */
            data: components["schemas"]["Checkout"];
            /** @description The payment. */
            payment: components["schemas"]["Payment"];
            /** @description The same reference. */
            reference: string;
        };
        /** @description Our keys at Paystack. */
        PaystackKeys: {
            /** @description One record, or none while it is not set. */
            paystack_public_key: components["schemas"]["SettingRecord"][];
            /** @description One record, or none while it is not set. */
            paystack_secret_key: components["schemas"]["SettingRecord"][];
        };
        /** @description How often an answer was given to the question of a campaign of calls. */
        PollAnswer: {
            /**
             * Format: int64
             * @description Answered calls. Of several keys the first one of the question counts.
             */
            count: number;
            /** @description A key of the question; `9` where the person only opted out, `other` where only other keys were pressed, `none`. */
            key: string;
            /** @description What it stands for. */
            label: string;
            /**
             * Format: int64
             * @description Its share of the answered calls, in thousandths; none while there are none.
             */
            per_mille?: number | null;
        };
        /** @description A change of a price. */
        PriceChange: {
            /** @description What it is since. */
            after?: string | null;
            /** @description When. */
            at: string;
            /** @description What it was; `null` when it was not set. */
            before?: string | null;
            /**
             * Format: int64
             * @description The change's id in the audit trail.
             */
            id: number;
            /** @description Which price: `SMS-UNIT-PRICE`, ... */
            price: string;
            /**
             * Format: int64
             * @description Who changed it.
             */
            user_id?: number | null;
            /** @description Who changed it, by name. */
            username?: string | null;
        };
        /** @description `GET /admin/price-history`. */
        PriceHistory: {
            /** @description Newest first. */
            prices: components["schemas"]["PriceChange"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description One record of a setting, as the specification has it: a list whose first item has a value. */
        PriceRecord: {
            /** @description When it was set. */
            updated_at: string;
            /** @description The price of one page. */
            value: components["schemas"]["Amount"];
        };
        /** @description `GET /admin/get-prices`: every price, each a list of one record, or of none while it is not set. */
        Prices: {
            /** @description One pulse of a call from an own number, in ESPEES. */
            "OWN-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description One page of a short message to a number outside Nigeria, in ESPEES. */
            "SMS-ABROAD-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description One page of a short message to a number outside Nigeria, in Naira. */
            "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": components["schemas"]["PriceRecord"][];
            /** @description One page of a short message, in ESPEES. */
            "SMS-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description One page of a short message, in Naira. */
            "SMS-UNIT-PRICE-IN-NAIRA": components["schemas"]["PriceRecord"][];
            /** @description A name for exactly these prices, for `expect`. */
            version: string;
            /** @description One pulse of a call from a virtual number, in ESPEES. */
            "VIRTUAL-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description One pulse of a call, in ESPEES. */
            "VOICE-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description One pulse of a call, in Naira. */
            "VOICE-UNIT-PRICE-NAIRA": components["schemas"]["PriceRecord"][];
        };
        /** @description The answer of `POST /admin/set-prices`. */
        PricesChanged: {
            /**
             * Format: int64
             * @description How many prices changed.
             */
            changed: number;
            /** @description For people. */
            message: string;
            /** @description The prices now. */
            prices: components["schemas"]["Prices"];
        };
        /** @description What was set. */
        PriceSet: {
            /** @description For people. */
            message: string;
            /** @description The price now. */
            price: components["schemas"]["PriceRecord"];
        };
        /** @description `application/problem+json`. */
        Problem: {
            /** @description Stable, snake case. */
            code: string;
            /** @description What is wrong and what to do. */
            detail: string;
            /** @description Only with an expired session, as the specification's clients expect: `Token error: Token has expired`. */
            error?: string | null;
            /** @description The fields at fault. */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description The same text as `detail`: the specification's clients show it. */
            message: string;
            /** @description Names the request in the daemon's log. */
            request_id: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The status in words. */
            title: string;
            /** @description A relative reference that names the kind of problem: `/problems/{code}`. */
            type: string;
        };
        /** @description The answer of `GET /api/user-profile`. */
        Profile: {
            /** @description What an API key may do; a session may do everything its user may. */
            scopes: string[];
            /** @description `session` or `api_key`. */
            signed_in_with: string;
            /** @description Who is signed in. */
            user: components["schemas"]["User"];
        };
        /** @description One event of `GET /api/campaigns/{id}/events` (`event: progress`, and `event: end` for the last). */
        Progress: {
            /** @description The campaign as it is now. */
            campaign: components["schemas"]["Campaign"];
            /**
             * Format: double
             * @description Messages a second handed to the carrier, over the last few seconds.
             */
            rate: number;
            /**
             * Format: double
             * @description Seconds until everything is submitted, at that rate.
             */
            remaining_s?: number | null;
        };
        /**
         * @description What a message is for: it decides its route, whether it minds the Do-Not-Disturb list and the quiet hours, and which
         *     opt-outs hold for it.
         * @enum {string}
         */
        Purpose: "promotional" | "transactional" | "otp";
        /** @description Why a user's data must be kept. */
        PutLegalHold: {
            /**
             * @description The reason, up to 500 characters.
             * @example Court order 17/2026
             */
            reason: string;
        };
        /** @description A question that calls ask. */
        Question: {
            /** @description The keys that answer it. 9 is none of them: it always opts out. */
            keys: components["schemas"]["QuestionKey"][];
            /**
             * Format: int32
             * @description How often it is played at most, while no key is pressed.
             */
            plays: number;
        };
        /** @description A key and what it stands for. */
        QuestionKey: {
            /** @description `0` to `8`, `*` or `#`. */
            key: string;
            /** @description What it stands for. */
            label: string;
        };
        /** @description What a campaign will be and cost: a contract until it expires. */
        Quote: {
            /**
             * Format: int64
             * @description Recipients outside Nigeria.
             */
            abroad_contacts?: number;
            /**
             * Format: int64
             * @description Billed pages of their messages.
             */
            abroad_pages?: number;
            abroad_unit_price?: components["schemas"]["Amount"] | null;
            /** @description The wallet now. */
            balance: components["schemas"]["Amount"];
            /** @description The wallet after all runs are reserved; negative when it does not suffice. */
            balance_after: components["schemas"]["Amount"];
            canary?: components["schemas"]["QuoteCanary"] | null;
            /** @description The price of one run. */
            charges_per_run: components["schemas"]["Amount"];
            /** @description `espees` or `naira`. */
            currency: string;
            /**
             * Format: int64
             * @description How many contacts wait for it.
             */
            delayed_contacts?: number;
            /** @description When promotional messages of the first run go out, where its start falls into the quiet hours. */
            delayed_start?: string | null;
            /** @description `gsm7`, `ucs2` or `binary`; `audio` of calls. */
            encoding: string;
            /** @description When the last run should have been handed to the carrier. */
            estimated_finish?: string | null;
            /** @description Until when it can be confirmed. */
            expires_at: string;
            /**
             * Format: int64
             * @description Of calls: how long what is said takes, in seconds, rounded up.
             */
            length_s?: number | null;
            /** @description What the first recipient reads. */
            message: string;
            /** @description That recipient; not known of quotes that were drawn up before an upgrade. */
            message_to?: string | null;
            /** @description Recipients by network. */
            networks: {
                [key: string]: number;
            };
            /**
             * @description What to know before confirming, in sentences: that it will wait for an administrator, that nothing is sent now, a
             *     column of numbers that was not read.
             */
            notices?: string[];
            /** @description Columns of the files whose numbers were read. */
            number_columns?: string[];
            /** @description Billed pages of one message, the fewest and the most over the recipients. */
            pages: [
                number,
                number
            ];
            poll?: components["schemas"]["Question"] | null;
            /** @description Of calls: the seconds of the first pulse and of each next one, such as `60/60`. */
            pulse?: string | null;
            /**
             * Format: int64
             * @description Of calls: the most pulses that one is billed. They are counted as pages everywhere else.
             */
            pulses?: number | null;
            /** @description What it is for: `promotional`, `transactional` or `otp`. */
            purpose?: components["schemas"]["Purpose"];
            /**
             * Format: int64
             * @description Hand this to `confirm-...`.
             */
            quote_id: number;
            /** @description What the pages of one run cost, a line for each price. */
            rates?: components["schemas"]["QuoteRate"][];
            /** @description The first of them with line and reason. */
            rejects: components["schemas"]["Reject"][];
            /** @description Characters that were replaced so that the text fits GSM-7. */
            replacements: components["schemas"]["Replacement"][];
            /** @description `DEFAULT`, or the carriers, each with those that take over from it: `main then spare, other`. */
            route: string;
            /** @description Short messages on the air of one message, the fewest and the most. */
            segments: [
                number,
                number
            ];
            /** @description The sender id. */
            sender_id: string;
            /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
            sms_type: string;
            /** @description When the runs start; empty means at once. */
            starts: string[];
            /** @description The price of all runs together. */
            total_charges: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Recipients that will get a message in each run.
             */
            total_contacts: number;
            /**
             * Format: int64
             * @description Of these, numbers on the Do-Not-Disturb list, where their route respects it.
             */
            total_dnd?: number;
            /**
             * Format: int64
             * @description Numbers given more than once and dropped.
             */
            total_duplicates_removed: number;
            /**
             * Format: int64
             * @description Entries left out: invalid numbers, and numbers that cannot be sent to.
             */
            total_invalid: number;
            /**
             * Format: int64
             * @description Billed pages of one run in all.
             */
            total_pages: number;
            /**
             * Format: int64
             * @description Short messages of one run in all.
             */
            total_segments: number;
            /**
             * Format: int64
             * @description Numbers left out because they opted out.
             */
            total_suppressed: number;
            /** @description The price of one page, or of one pulse of a call. */
            unit_price: components["schemas"]["Amount"];
            /** @description Columns of the files that also hold numbers and were not read: to read them, name all that are wanted in `column`. */
            unread_columns?: string[];
        };
        /** @description The answer of `send-{kind}-sms` and `schedule-{kind}-sms`. */
        QuoteAnswer: {
            /** @description What the campaign will be and cost. */
            details: components["schemas"]["Quote"];
            /** @description For people. */
            message: string;
        };
        /**
         * @description The canary of a quote: so many recipients get the message first, spread over the networks. The rest waits until enough
         *     of their messages were delivered.
         */
        QuoteCanary: {
            /**
             * Format: int64
             * @description How many of a hundred must be delivered; of calls, answered.
             */
            delivery: number;
            /**
             * Format: int64
             * @description Of these, seeds: numbers of the sender's own that were given to be among the first.
             */
            seeds?: number;
            /**
             * Format: int64
             * @description Recipients of each run.
             */
            size: number;
            /**
             * Format: int64
             * @description How many seconds receipts are waited for, from when each of these messages was handed to a carrier once.
             */
            wait_s: number;
        };
        /** @description The recipients of a quote that have one price of a page. */
        QuoteRate: {
            /** @description What all of them cost in one run. */
            charges: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Recipients.
             */
            contacts: number;
            /** @description Their network, where the price holds for one. */
            network?: string | null;
            /**
             * Format: int64
             * @description Billed pages of their messages in one run.
             */
            pages: number;
            /** @description What their numbers begin with: digits of E.164; `null` of all others outside Nigeria. */
            prefix?: string | null;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description What one costs. */
            unit_price: components["schemas"]["Amount"];
        };
        /**
         * @description What a page of a short message to some numbers costs. The longest prefix wins, for the same prefix the network, and for
         *     the same network the purpose.
         */
        Rate: {
            cost_espees?: components["schemas"]["Amount"] | null;
            cost_naira?: components["schemas"]["Amount"] | null;
            espees?: components["schemas"]["Amount"] | null;
            naira?: components["schemas"]["Amount"] | null;
            /** @description Of these, the numbers of this network; `null`: all. */
            network?: string | null;
            /** @description What the numbers begin with: digits of E.164, from the calling code on, as in `44` or `234803`. */
            prefix: string;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description When it was set. Not read from what is sent. */
            updated_at?: string | null;
        };
        /** @description `POST /admin/rate-costs`: lists of rates whose costs are asked for, and the answer. */
        RateCosts: {
            /** @description The plans, up to 100, likewise. */
            plans?: components["schemas"]["RatePlan"][];
            /** @description The list for all; in the answer each rate with its costs, in the same order. All lists together have up to 3,000. */
            rates?: components["schemas"]["Rate"][];
        };
        /**
         * @description A rate plan: rates of the users that have it. For a number that it says something for, at whatever prefix, it is read
         *     before the list for all.
         */
        RatePlan: {
            /** @description Its name: up to 40 small letters, digits, `-` and `_`. */
            name: string;
            /** @description Its rates, one at least. */
            rates: components["schemas"]["Rate"][];
            /**
             * Format: int64
             * @description How many users have it. Not read from what is sent.
             */
            users?: number | null;
        };
        /** @description All rates, in the order of their prefixes. */
        Rates: {
            /** @description The plans with their users, in the order of their names; for administrators only. */
            plans?: components["schemas"]["RatePlan"][] | null;
            /** @description Says, when it is sent back, that who edits them knows of purposes. */
            purposes?: boolean;
            /** @description The rates: those for all, and for a user with a plan those that hold for this user. */
            rates: components["schemas"]["Rate"][];
            /**
             * Format: int64
             * @description How many rates there are in `rates`.
             */
            total: number;
            /** @description A name for exactly these rates with those of all plans, for `expect`; empty while there are none. */
            version: string;
        };
        /** @description The answer of `PUT /admin/rates`. */
        RatesChanged: {
            /**
             * Format: int64
             * @description How many prices changed, those of rates and the others.
             */
            changed: number;
            /** @description For people. */
            message: string;
            /** @description The rates now. */
            rates: components["schemas"]["Rates"];
        };
        /** @description Whether the daemon takes work, and what it lacks. */
        Ready: {
            /** @description What is wrong, in words. Some of it, such as a hold, leaves the daemon ready. */
            notes: string[];
            /** @description Whether requests should be sent here. */
            ready: boolean;
            /** @description Whether stand-ins surround the daemon. */
            sandbox: boolean;
        };
        /** @description Messages of one status for one reason. */
        ReasonCount: {
            /**
             * Format: int64
             * @description How many.
             */
            count: number;
            /** @description Why, in words; `null` where none was said. */
            reason?: string | null;
            /** @description `undelivered`, `rejected`, `expired`, `unknown`, `cancelled` or `suppressed`. */
            status: string;
        };
        /** @description The password of the user who is signed in. */
        Reauthenticate: {
            /** @description The password. */
            password?: string;
        };
        /** @description `POST /admin/payments/{id}/recheck`. */
        Rechecked: {
            /** @description For people. */
            message: string;
            /** @description The payment after it. */
            payment: components["schemas"]["Payment"];
        };
        /** @description Who gets a message. */
        Recipient: {
            /** @description Where the KingsChat message stands; nothing when no account is linked. */
            chat?: string | null;
            /** @description What KingsChat said of it. */
            chat_reason?: string | null;
            /** @description Where the text message stands, or why there is none. */
            sms: string;
            /**
             * Format: int64
             * @description The user's id.
             */
            user_id: number;
            /** @description The name to sign in by. */
            username: string;
        };
        /**
         * @description The answer of `POST /api/recipients/check`: what recipients are, before there is a message. A quote rejects those, too,
         *     for whom the message has no route or does not fit.
         */
        RecipientsCheck: {
            /** @description The columns that a message to all of them can have as merge fields: those of every file and group with columns. */
            columns: string[];
            /** @description Recipients by network. */
            networks: {
                [key: string]: number;
            };
            /** @description What to know of these recipients, in sentences: a column of numbers that was not read. */
            notices?: string[];
            /** @description Columns of the files whose numbers were counted. */
            number_columns?: string[];
            /**
             * @description What a page to them costs in each currency, a line for each price. Those that are in none of a currency's lines have no
             *     price in it: a quote rejects them.
             */
            rates?: components["schemas"]["RecipientsRate"][];
            /** @description The first of the invalid ones with line and reason, at most 20. */
            rejects: components["schemas"]["Reject"][];
            /**
             * Format: int64
             * @description Numbers that can be written to.
             */
            total_contacts: number;
            /**
             * Format: int64
             * @description Numbers given more than once and dropped.
             */
            total_duplicates_removed: number;
            /**
             * Format: int64
             * @description Entries that are no usable number.
             */
            total_invalid: number;
            /**
             * Format: int64
             * @description Numbers left out because they opted out.
             */
            total_suppressed: number;
            /** @description Columns of the files that also hold numbers and were not read: to read them, name all that are wanted in `column`. */
            unread_columns?: string[];
        };
        /** @description The recipients of a campaign's form. */
        RecipientsForm: {
            /**
             * @description Lists that are here already, as in the form of a campaign: `campaign:ID`, `campaign:ID:failed`, `import:ID`. May be
             *     repeated.
             */
            audience?: string[];
            /** @description A column of the file that is read as numbers; detected when it is not given. May be repeated. */
            column?: string[];
            /** @description Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated. */
            contacts?: string | null;
            /**
             * Format: binary
             * @description Recipients as a CSV or text file of any size. May be repeated.
             */
            file?: Blob | null;
            /** @description Ids of contact groups. May be repeated. */
            groups?: number[];
            /**
             * @description What the messages are for, which decides whose opt-outs hold: `promotional`, `transactional` or `otp`. Left out: the
             *     default of the account, else `transactional`.
             */
            purpose?: string | null;
        };
        /** @description Recipients that have one price of a page in a currency. */
        RecipientsRate: {
            /**
             * Format: int64
             * @description Recipients.
             */
            contacts: number;
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description Their network, where the price holds for one. */
            network?: string | null;
            /** @description What their numbers begin with: digits of E.164; `null` of all others outside Nigeria. */
            prefix?: string | null;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description What a page costs. */
            unit_price: components["schemas"]["Amount"];
        };
        /** @description `POST /api/recordings`. */
        RecordingAdded: {
            /** @description `Recording added`, or that the same one is kept already. */
            message: string;
            /** @description The recording. */
            recording: components["schemas"]["VoiceRecord"];
        };
        /** @description A recording that is to be kept. */
        RecordingForm: {
            /**
             * Format: binary
             * @description An MP3 of at most `voice.recording_mib` (25) MiB and `voice.recording_minutes` (10) minutes.
             */
            audioFile?: Blob | null;
            /** @description What it is called, in at most 100 characters; the name of its file when it is left out. */
            name?: string | null;
        };
        /** @description What is to be delivered again. */
        Redelivered: {
            /** @description For people. */
            message: string;
            /**
             * Format: int64
             * @description How many deliveries.
             */
            redelivered: number;
        };
        /** @description Somebody whose phone number is proven. */
        Registered: {
            /** @description For people. */
            message: string;
            /** @description The new user. */
            user: components["schemas"]["User"];
        };
        /** @description An entry that is no usable number. */
        Reject: {
            /** @description Stable code of the reason. */
            code: string;
            /**
             * Format: int64
             * @description The line it stood on, from 1.
             */
            line: number;
            /** @description The reason in words. */
            reason: string;
            /** @description What stood there, shortened. */
            value: string;
        };
        /** @description A carrier that is not configured any more. */
        RemovedCarrier: {
            /** @description Its name. */
            name: string;
            /**
             * Format: int64
             * @description Messages that still wait for it: reroute them, or put it back.
             */
            waiting: number;
        };
        /** @description A character that was replaced by a look-alike. */
        Replacement: {
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            /** @description What was written. */
            from: string;
            /** @description What is sent. */
            to: string;
        };
        /** @description The sender ids that are asked for. */
        RequestSenderIds: {
            /**
             * @description Each at most 11 characters, spaces included, or 14 digits; at most 20 at once. May be repeated, also as
             *     `sender_ids[0]`, `sender_ids[1]` and so on.
             */
            sender_ids?: string[];
        };
        /** @description Where to. */
        RerouteCarrier: {
            /** @description The carrier that takes the messages; when it is left out they go where the present routes lead. */
            to?: string;
        };
        /** @description Whose code did not come. */
        ResendCode: {
            /** @description The phone number of the registration. */
            phone_number?: string;
        };
        /** @description Whose code did not come. */
        ResendSignInCode: {
            /** @description The user name or e-mail address that signs in; `email` is taken as well. */
            username?: string;
        };
        /** @description The code that came, and the new password. */
        ResetPassword: {
            /** @description Six digits. */
            code?: string;
            /** @description The account's e-mail address. */
            email?: string;
            /** @description The new password, at least 8 characters. */
            password?: string;
            /** @description The new password again. */
            password_confirmation?: string;
            /** @description Also revoke all API keys. */
            revoke_api_keys?: boolean;
        };
        /** @description The form of `POST /admin/messages/resolve`. */
        Resolve: {
            /**
             * Format: int64
             * @description All unknown messages of this campaign.
             */
            campaign_id?: number | null;
            /** @description The `unknown` messages; at most 1,000. Empty with `campaign_id` means all of that campaign. */
            messages?: number[];
            /** @description `sent` (charge), `refunded` (give the money back) or `resend` (refund and quote again). */
            outcome: string;
        };
        /** @description The answer of `POST /admin/messages/resolve`. */
        Resolved: {
            /** @description For people. */
            message: string;
            quote?: components["schemas"]["Quote"] | null;
            /**
             * Format: int64
             * @description How many messages were unknown and are settled now.
             */
            resolved: number;
        };
        /** @description What a draft says now. */
        SaveDraft: {
            /** @description Its fields, an object in JSON of at most 256 KiB, in a text. */
            fields?: string;
            /** @description What it is shown as; cut after 100 characters. */
            title?: string;
            /**
             * Format: int64
             * @description The version that is changed.
             */
            version?: number;
        };
        /** @description Traffic of a sender. */
        SenderFigures: components["schemas"]["Traffic"] & {
            /** @description The sender id. */
            sender: string;
        };
        /** @description The answer to a decision about a sender id. */
        SenderIdDecided: {
            /**
             * Format: int64
             * @description How many campaigns were paused because they were being sent from it.
             */
            campaigns_paused: number;
            /** @description For people. */
            message: string;
            /** @description The sender id as it is now. */
            senderId: components["schemas"]["SenderIdRecord"];
        };
        /** @description A sender id. */
        SenderIdRecord: {
            /** @description When it was requested; null for the one that all may use. */
            created_at?: string | null;
            /** @description When an administrator decided. */
            decided_at?: string | null;
            /**
             * Format: int64
             * @description Its id; 0 is the one that all users may use.
             */
            id: number;
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description Why it was disapproved. */
            reason?: string | null;
            /** @description What a message says it is from. */
            sender_id: string;
            /** @description `pending`, `approved` or `disapproved`. */
            status: string;
            /**
             * Format: int64
             * @description Whose it is; null for the one that all may use.
             */
            user_id?: number | null;
            /** @description The owner's user name; null for the one that all may use. */
            username?: string | null;
        };
        /** @description `GET /api/get-sender-id`. */
        SenderIds: {
            /** @description `WEBSMS` first, then the newest. */
            senderId: components["schemas"]["SenderIdRecord"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The answer to a request for sender ids. */
        SenderIdsRequested: {
            /** @description For people. */
            message: string;
            /** @description What was requested. */
            senderId: components["schemas"]["SenderIdRecord"][];
        };
        /** @description The answer of `PUT /admin/sender-ids/{id}/purpose`. */
        SenderPurpose: {
            /**
             * Format: int64
             * @description The sender id's record.
             */
            id: number;
            purpose?: components["schemas"]["Purpose"] | null;
        };
        /** @description The parameters, as Kannel names them. Others are left out, as Kannel leaves out what it does not know. */
        SendSms: {
            /** @description Repeated by the placeholder `%o`. */
            account?: string | null;
            /** @description Repeated by the placeholder `%B`. */
            binfo?: string | null;
            /** @description The charset of `text`; UTF-8 when it is left out, with `coding` 2 UTF-16BE. */
            charset?: string | null;
            /**
             * Format: int64
             * @description 0 for GSM 7 bit, which is meant when it is left out, 2 for UCS-2. 1 (8 bit) is refused.
             */
            coding?: number | null;
            /**
             * Format: int64
             * @description Minutes that it waits: up to a year.
             */
            deferred?: number | null;
            /**
             * Format: int64
             * @description Events that `dlr-url` is called for, a sum of 1 delivered, 2 not delivered, 8 accepted by the carrier, 16 refused by
             *     it. 4 and 32 are taken and never happen. `dlrmask` is the same.
             */
            "dlr-mask"?: number | null;
            /** @description Called by GET for these events, with Kannel's placeholders; at most 2,000 bytes. `dlrurl` is the same. */
            "dlr-url"?: string | null;
            /** @description The sender id: `WEBSMS`, or an approved one. */
            from: string;
            /**
             * Format: int64
             * @description 0 for a flash message; 1 is an ordinary one. 2 and 3 are refused.
             */
            mclass?: number | null;
            /** @description An API key with the scope `send`. `pass` is the same. */
            password: string;
            /** @description `espees` or `paystack` (alias `naira`), which is meant when it is left out. Kannel has no such parameter. */
            payment_method?: string | null;
            /** @description What it says, in `charset`. */
            text: string;
            /** @description The number, in any form; up to 50 with spaces between them, each a message of its own. */
            to: string;
            /** @description The user's name, or the beginning of the API key that lists show (`td_` and eight digits). `user` is the same. */
            username: string;
        };
        /** @description A message to users. */
        SendUserMessage: {
            /** @description What it says: at most six pages. */
            message?: string;
            /**
             * Format: int64
             * @description To whom; to all users when it is not given.
             */
            user_id?: number | null;
        };
        /** @description One campaign as `GET /api/get-sent-messages` shows it, in the specification's field names. */
        SentMessage: {
            /** @description Company on a card. */
            company?: string | null;
            /**
             * @description The first recipients, at most 1,000 numbers joined by commas. Empty with `numbers=0`, and from where the campaigns of
             *     the list have 120,000 numbers together.
             */
            contacts: string;
            /** @description When it was confirmed. */
            created_at: string;
            /** @description E-mail on a card. */
            email?: string | null;
            /** @description What it took from the ESPEES wallet so far and did not give back; 0 when it was paid in Naira. */
            espees_deducted: components["schemas"]["Amount"];
            /** @description Recipients that got nothing, at most 1,000 numbers joined by commas. Empty where `contacts` is. */
            failed_contacts: string;
            /** @description Given name on a card. */
            first_name?: string | null;
            /**
             * Format: int64
             * @description The campaign's id.
             */
            id: number;
            /** @description Job title on a card. */
            job_title?: string | null;
            /** @description Family name on a card. */
            last_name?: string | null;
            /** @description Where all its messages are listed. */
            messages_url: string;
            /** @description The text, with its merge fields unfilled. */
            msg: string;
            /** @description What it took from the Naira wallet so far and did not give back; 0 when it was paid in ESPEES. */
            naira_deducted: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description How many recipients there are.
             */
            no_of_contacts: number;
            /**
             * Format: int64
             * @description How many messages failed: undelivered, rejected, expired.
             */
            no_of_failed_contacts: number;
            /**
             * Format: int64
             * @description How many messages the carrier accepted and did not fail: submitted and delivered.
             */
            no_of_sent_contacts: number;
            /** @description What it is for: `promotional`, `transactional` or `otp`. */
            purpose?: components["schemas"]["Purpose"];
            /** @description The sender id. */
            senderid: string;
            /**
             * Format: int64
             * @description The campaign's id, under the specification's name.
             */
            sms_shoot_id: number;
            /** @description The campaign's status. */
            status: string;
            /** @description Telephone on a card. */
            telephone?: string | null;
            /** @description `text`, `flash`, `unicode`, `wap` or `vcard`. */
            type: string;
            /** @description Title of a WAP push. */
            wap_title?: string | null;
            /** @description Link of a WAP push. */
            wap_url?: string | null;
        };
        /** @description `GET /api/get-sent-messages`. */
        SentMessages: {
            /** @description One row a campaign, newest first. */
            messages: components["schemas"]["SentMessage"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description An event of a stream, see the operation for which there are. */
        ServerSentEvent: {
            /** @description What it holds: a JSON document. */
            data: string;
            /** @description Its name. */
            event: string;
        };
        /** @description Where a user is signed in. */
        Session: {
            /** @description The address it signed in from. */
            address: string;
            /** @description What the client called itself. */
            client: string;
            /** @description When it began. */
            created_at: string;
            /** @description When it ends whatever happens. */
            expires_at: string;
            /**
             * Format: int64
             * @description The session's id.
             */
            id: number;
            /** @description Whether it is the one that asks. */
            is_current: boolean;
            /** @description When it was last used, to the minute. */
            last_seen_at: string;
        };
        /** @description A page of sessions. */
        Sessions: {
            /** @description The sessions, the newest use first. */
            sessions: components["schemas"]["Session"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description The pricing write-up. */
        SetAboutUs: {
            /** @description HTML. Images, scripts, forms, frames and styles are taken out. */
            content?: string;
        };
        /** @description The business's postal address. */
        SetAddress: {
            /** @description The address; it may have several lines. */
            address?: string;
        };
        /** @description The administrator's own number. */
        SetAdminNumber: {
            /** @description The number, as it is to be shown. */
            phone_number?: string;
        };
        /** @description A key, which no debug output shows. */
        SetApiKey: {
            /** @description The key as its issuer gave it. */
            api_key?: string;
        };
        /** @description Whether a user may send codes. */
        SetCodes: {
            /** @description `true`, as with every new account, or `false`. */
            allowed: boolean;
        };
        /** @description The address that visitors write to. */
        SetEmail: {
            /** @description The e-mail address. */
            email?: string;
        };
        /** @description What is to change; what is not given stays as it is. */
        SetLimits: {
            /**
             * @description ESPEES of a day: an amount, `0` for no limit, `default` for the platform's.
             * @example 100.5
             */
            cap_espees?: string | null;
            /**
             * @description Naira of a day, likewise.
             * @example default
             */
            cap_naira?: string | null;
            /** @description Whether large sends go out without waiting for an administrator. */
            proven?: boolean | null;
        };
        /** @description Our keys at Paystack, which no debug output shows. */
        SetPaystackKeys: {
            /** @description `pk_...` */
            public_key?: string;
            /** @description `sk_...` */
            secret_key?: string;
        };
        /** @description The number that visitors call. */
        SetPhone: {
            /** @description The number, as it is to be shown. */
            phone?: string;
        };
        /** @description The price to be set. */
        SetPrice: {
            /** @description With at most six decimals; zero is a price too. */
            price: components["schemas"]["Amount"];
        };
        /** @description Prices to be set together; what is left out stays as it is. */
        SetPrices: {
            /** @description The version of the prices that these were decided on: refused (409) when they are others by now. */
            expect?: string | null;
            "OWN-UNIT-PRICE"?: components["schemas"]["Amount"] | null;
            "SMS-ABROAD-UNIT-PRICE"?: components["schemas"]["Amount"] | null;
            "SMS-ABROAD-UNIT-PRICE-IN-NAIRA"?: components["schemas"]["Amount"] | null;
            "SMS-UNIT-PRICE"?: components["schemas"]["Amount"] | null;
            "SMS-UNIT-PRICE-IN-NAIRA"?: components["schemas"]["Amount"] | null;
            "VIRTUAL-UNIT-PRICE"?: components["schemas"]["Amount"] | null;
            "VOICE-UNIT-PRICE"?: components["schemas"]["Amount"] | null;
            "VOICE-UNIT-PRICE-NAIRA"?: components["schemas"]["Amount"] | null;
        };
        /** @description The default purpose that an account or a sender id shall have. */
        SetPurpose: {
            /**
             * @description `promotional`, `transactional` or `otp`; empty or left out: none.
             * @example promotional
             */
            purpose?: string | null;
        };
        /** @description The plan that the user shall have. */
        SetRatePlan: {
            /**
             * @description Its name; empty or left out: the rates for all.
             * @example gold
             */
            plan?: string | null;
        };
        /** @description `PUT /admin/rates`: what the rates shall be. */
        SetRates: {
            /** @description The version of the rates that these were decided on: refused (409) when they are others by now. */
            expect?: string | null;
            /** @description The version of the prices that these were decided on. */
            expect_prices?: string | null;
            /**
             * @description All plans: one that is not here is removed, which is refused (409) while users have it. Without it, plans stay as they
             *     are.
             */
            plans?: components["schemas"]["RatePlan"][] | null;
            /** @description Prices by their names, such as `SMS-UNIT-PRICE`, that are set together with the rates, all or none. */
            prices?: {
                [key: string]: components["schemas"]["Amount"];
            };
            /**
             * @description That it was made by who knows that a rate may have a purpose. Without it, lists that have purposes are not replaced by
             *     ones without any (409): a page or a program of before would drop them unseen.
             */
            purposes?: boolean;
            /** @description All of the list for all: what is not here is removed. Without it, the list stays as it is. */
            rates?: components["schemas"]["Rate"][] | null;
            /**
             * Format: int64
             * @description Not read: what `GET` gave can be sent back.
             */
            total?: number | null;
            /** @description The same as `expect`, where that is not given: as `GET` gave it. */
            version?: string | null;
        };
        /** @description One record of a setting: the specification has each setting as a list whose first item has a value. */
        SettingRecord: {
            /** @description False, of a secret that this daemon's key does not open: it has to be entered again. Left out of all others. */
            readable?: boolean;
            /** @description When it was set. */
            updated_at: string;
            /** @description The value; of a secret, its last four characters. */
            value: string;
        };
        /** @description Where ESPEES payments go. */
        SetWalletAddress: {
            /** @description The wallet's address. */
            wallet_address?: string;
        };
        /** @description An import. */
        ShownImport: {
            /** @description The import. */
            import: components["schemas"]["Import"];
        };
        /** @description The answer to a sign-in. */
        SignedIn: {
            /** @description The same token where other clients look for it. */
            authorization: components["schemas"]["Authorization"];
            /** @description For people. */
            message: string;
            /** @description The bearer token. */
            token: string;
            /** @description Who signed in. */
            user: components["schemas"]["User"];
        };
        /** @description A message to one number. */
        SingleForm: components["schemas"]["ContentForm"] & {
            /** @description The number, in any form. */
            contacts?: string;
            /** @description Refused, as `groups`. */
            group_ids?: string[];
            /** @description Refused: `send-{kind}-sms` takes groups. */
            groups?: string[];
            max_charge?: components["schemas"]["Amount"] | null;
            /** @description `espees` or `paystack` (alias `naira`). */
            payment_method?: string | null;
            /**
             * @description What it is for: `promotional`, `transactional` or `otp`. Left out: the default of the API key, else of the sender ID,
             *     else of the account, else `transactional`.
             */
            purpose?: string | null;
            /** @description The sender id: `WEBSMS`, or an approved one. */
            senderid?: string | null;
            /** @description `text`, which is meant when it is left out, `flash`, `unicode`, `wap-push` or `vcard`. */
            sms_type?: string | null;
            /** @description Refused: `schedule-{kind}-sms` takes a time. */
            time?: string[];
        };
        /** @description The key of SMS carriers. */
        SmsApiKey: {
            /** @description One record, or none while it is not set. */
            smsApiKey: components["schemas"]["SettingRecord"][];
        };
        /** @description The price of a page in Naira. */
        SmsNairaPrice: {
            /** @description One record, or none while the price is not set. */
            "SMS-UNIT-PRICE-IN-NAIRA": components["schemas"]["PriceRecord"][];
        };
        /** @description The price of a page in ESPEES. */
        SmsPrice: {
            /** @description One record, or none while the price is not set. */
            "SMS-UNIT-PRICE": components["schemas"]["PriceRecord"][];
        };
        /** @description The price of a page in both currencies, at home and abroad. */
        SmsPrices: {
            /** @description In ESPEES, to a number outside Nigeria: one record, or none while no message goes there. */
            "SMS-ABROAD-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description In Naira, to a number outside Nigeria: one record, or none while no message goes there. */
            "SMS-ABROAD-UNIT-PRICE-IN-NAIRA": components["schemas"]["PriceRecord"][];
            /** @description In ESPEES: one record, or none while the price is not set. */
            "SMS-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description In Naira: one record, or none while the price is not set. */
            "SMS-UNIT-PRICE-IN-NAIRA": components["schemas"]["PriceRecord"][];
        };
        /** @description Who registers. */
        StartRegistration: {
            /**
             * @description The e-mail address.
             * @default
             */
            email: string;
            /**
             * @description The person's or business's name.
             * @default
             */
            name: string;
            /**
             * @description At least 8 characters.
             * @default
             */
            password: string;
            /**
             * @description The password again.
             * @default
             */
            password_confirmation: string;
            /**
             * @description The phone number, as `0803...` or with a country code.
             * @default
             */
            phone_number: string;
            /**
             * @description To sign in by: 3 to 32 letters, digits, dots, dashes or underscores.
             * @default
             */
            username: string;
        };
        /** @description `GET /api/wallet/statement`. */
        Statement: {
            /** @description Newest first. */
            entries: components["schemas"]["StatementEntry"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description One movement of a wallet. */
        StatementEntry: {
            /** @description Signed: what the wallet gained or lost. */
            amount: components["schemas"]["Amount"];
            /** @description When. */
            at: string;
            /** @description The wallet's balance after it. */
            balance: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description The campaign it belongs to.
             */
            campaign_id?: number | null;
            /** @description What kind of movement: `credit`, `reserve`, `capture`, `release`, ... */
            code: string;
            /** @description `espees` or `naira`. */
            currency: string;
            /**
             * Format: int64
             * @description The ledger transfer's id.
             */
            id: number;
            /** @description In words. */
            narration: string;
            /** @description What it refers to. */
            reference: string;
        };
        /** @description `GET /admin/subjects/{number}`. */
        Subject: {
            /** @description The number, E.164 without `+`. */
            number: string;
            /** @description Whether it is on the Do-Not-Disturb list. */
            on_dnd_list: boolean;
            /** @description What is held, a table each; those that hold nothing are left out. */
            tables: components["schemas"]["SubjectTable"][];
        };
        /** @description What a table holds about a number. */
        SubjectTable: {
            /** @description What it is: `texts`, `numbers`, `receipts`, `inbound` or `account`. */
            class: string;
            /**
             * Format: int64
             * @description How many rows, of 10,000 at most.
             */
            count: number;
            /** @description Whether there may be more than were counted. */
            has_more: boolean;
            /**
             * @description What becomes of them when the number is erased: `removed`; `masked`, where `erased` stands in its place; `digest`, under
             *     which an opt-out is kept; or `kept`.
             */
            on_erase: string;
            /** @description The first five; of messages the newest. Their fields are those of the table. */
            rows: Record<string, never>[];
            /** @description The table; `messages` are in several. */
            table: string;
        };
        /** @description The switch. */
        SwitchMaintenance: {
            /**
             * Format: int32
             * @description `1` to enable, `0` to disable: what the path says already, and may not contradict.
             */
            maintenance_mode?: number | null;
            /** @description What users and visitors are told: required to enable. */
            message?: string;
        };
        /** @description A text that is kept. */
        Template: {
            /** @description When it was made. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its name: of a user's templates no two have the same, in whatever case. */
            name: string;
            /** @description What it says, with its merge fields. */
            text: string;
            /** @description When it was last changed. */
            updated_at: string;
        };
        /** @description A text to be kept. */
        TemplateForm: {
            /** @description Its name, of at most 60 characters: none of your other templates has it, in whatever case. */
            name?: string;
            /** @description What it says, of at most 16 KiB; merge fields stay as they are. */
            text?: string;
        };
        /** @description `GET /api/templates`. */
        Templates: {
            /** @description In order of names. */
            templates: components["schemas"]["Template"][];
        };
        /** @description A template that was made or changed. */
        TemplateSaved: {
            /** @description What was done. */
            message: string;
            /** @description The template as it is now. */
            template: components["schemas"]["Template"];
        };
        /** @description A test message. */
        TestCarrier: {
            /** @description What it says; `This is a test.` when left out. */
            message?: string;
            /** @description The number to send it to. */
            to?: string;
            /**
             * Format: int64
             * @description How many seconds its receipt is waited for, at most 20; 10 when left out.
             */
            wait_s?: number | null;
        };
        /** @description How long. */
        TraceCarrier: {
            /**
             * Format: int64
             * @description Seconds, at most 3,600; 300 when left out, and 0 ends it.
             */
            seconds?: number | null;
        };
        /** @description Campaigns, and where their messages are. */
        Traffic: {
            /**
             * Format: int64
             * @description Accepted by a carrier, no receipt yet.
             */
            awaited: number;
            /**
             * Format: int64
             * @description Campaigns that started.
             */
            campaigns: number;
            /**
             * Format: int64
             * @description Delivered.
             */
            delivered: number;
            /**
             * Format: int64
             * @description Delivered, of a thousand of which it is known whether they were; `null` while there is none.
             */
            delivered_per_mille?: number | null;
            /**
             * Format: int64
             * @description Not delivered in time.
             */
            expired: number;
            /**
             * Format: int64
             * @description Their recipients, sent or not.
             */
            ordered: number;
            /**
             * Format: int64
             * @description Refused.
             */
            rejected: number;
            /**
             * Format: int64
             * @description Accepted and not delivered.
             */
            undelivered: number;
            /**
             * Format: int64
             * @description It is not known whether they were sent.
             */
            unknown: number;
        };
        /** @description One transaction. */
        Transaction: {
            balance?: components["schemas"]["Amount"] | null;
            /**
             * Format: int64
             * @description The campaign it belongs to.
             */
            campaign_id?: number | null;
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description `credit`: the wallet gained it, or would have; `debit`: it lost it. */
            direction: string;
            /** @description Unique among all. */
            id: string;
            /** @description `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`. */
            kind: string;
            /** @description In words. */
            narration: string;
            /** @description What it refers to. */
            payment_ref: string;
            /** @description How much, without a sign: see `direction`. */
            price: components["schemas"]["Amount"];
            /** @description `successful`, or of a payment that is not in the ledger: `pending`, `failed`, `expired`, `mismatch`. */
            status: string;
            /** @description The same in words. */
            status_details: string;
            /** @description When. */
            transaction_date: string;
            /**
             * Format: int64
             * @description Whose wallet.
             */
            user_id: number;
            /** @description That user's name. */
            username: string;
        };
        /** @description The transfer. */
        Transfer: {
            /** @description How much, with at most six decimals. */
            amount: components["schemas"]["Amount"];
            /** @description `espees`, which is meant when it is left out, or `naira`. */
            currency?: string | null;
            /** @description Who gets it. */
            recipient_username: string;
        };
        /** @description `POST /api/transfer-fund`. */
        Transferred: {
            /** @description The giver's wallet after it. */
            balance: components["schemas"]["Amount"];
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description For people. */
            message: string;
            /** @description The reference in both histories. */
            reference: string;
        };
        /** @description What is to change; what is left out stays, and an empty name or address is removed. */
        UpdateContact: {
            /** @description The e-mail address. */
            email?: string | null;
            /** @description Other merge fields as `city=Lagos`, or `city=` to remove one; repeated. */
            field?: string[];
            /** @description The name. */
            name?: string | null;
            /** @description The number, in any usual form. */
            phone?: string | null;
        };
        /** @description A user as the API shows it. */
        User: {
            /** @description Where the picture is, if there is one. */
            avatar?: string | null;
            /** @description When the user was made. */
            created_at: string;
            /** @description The e-mail address. */
            email: string;
            /** @description Whether the e-mail address is proven. */
            email_verified?: boolean;
            /** @description The wallet in ESPEES. */
            espee_balance: components["schemas"]["Amount"];
            /** @description As given. */
            gender?: string | null;
            /**
             * Format: int64
             * @description The user's id.
             */
            id: number;
            /** @description The last sign-in, under the specification's other name. */
            last_login?: string | null;
            /** @description The last sign-in. */
            last_login_at?: string | null;
            /** @description The person's or business's name. */
            name: string;
            /** @description The wallet in Naira. */
            paystack_balance: components["schemas"]["Amount"];
            /** @description E.164 without `+`, where known. */
            phone_number?: string | null;
            /** @description `user` or `admin`. */
            role: string;
            /** @description `active` or `inactive`. */
            status: string;
            /** @description The name used to sign in. */
            username: string;
            /** @description The time zone in which times are shown. */
            zone?: string;
        };
        /** @description The answer of `PUT /admin/users/{id}/codes`. */
        UserCodes: {
            /**
             * Format: int64
             * @description Campaigns of codes that this paused.
             */
            campaigns_paused: number;
            /** @description Whether the user may send codes, messages with the purpose `otp`. */
            codes_allowed: boolean;
            /**
             * Format: int64
             * @description The user.
             */
            user_id: number;
        };
        /** @description The answer to deleting a user. */
        UserDeleted: {
            /** @description Whether the person's data is gone already; otherwise it goes when what is in flight has settled. */
            anonymised: boolean;
            /**
             * Format: int64
             * @description How many campaigns were cancelled now.
             */
            campaigns_cancelled: number;
            /** @description For people. */
            message: string;
        };
        /** @description `GET /admin/get-user-details/{id}`: the user's fields, and the newest of each list with how many there are. */
        UserDetails: components["schemas"]["User"] & {
            /** @description The newest campaigns. */
            campaigns: components["schemas"]["Campaign"][];
            /** @description Whether the user may send codes, messages with the purpose `otp`. */
            codes_allowed?: boolean;
            /** @description When the user was deleted, if they were. */
            deleted_at?: string | null;
            legal_hold?: components["schemas"]["LegalHold"] | null;
            /** @description The newest own numbers. */
            own_numbers: components["schemas"]["OwnNumber"][];
            purpose?: components["schemas"]["Purpose"] | null;
            /** @description The user's rate plan; none: the rates for all. */
            rate_plan?: string | null;
            /** @description The newest sender ids, whatever their status. */
            sender_ids: components["schemas"]["SenderIdRecord"][];
            /** @description How many there are of each. */
            totals: components["schemas"]["UserTotals"];
            /** @description The newest transactions: movements of both wallets, and payments that are open or failed. */
            transactions: components["schemas"]["Transaction"][];
            /** @description The same once more under a name of its own. */
            user: components["schemas"]["User"];
            /** @description The newest virtual numbers. */
            virtual_numbers: components["schemas"]["VirtualNumber"][];
            /** @description The newest calls to many. */
            voice_sms: components["schemas"]["VoiceReport"][];
        };
        /** @description The legal hold on a user's data. */
        UserLegalHold: {
            legal_hold?: components["schemas"]["LegalHold"] | null;
            /**
             * Format: int64
             * @description The user.
             */
            user_id: number;
        };
        /** @description What guards the platform against one account. */
        UserLimits: {
            cap_espees?: components["schemas"]["Amount"] | null;
            /** @description Whether that is the platform's default. */
            cap_espees_is_default: boolean;
            cap_naira?: components["schemas"]["Amount"] | null;
            /** @description Whether that is the platform's default. */
            cap_naira_is_default: boolean;
            /** @description Whether large sends go out without waiting for an administrator. */
            proven: boolean;
            /** @description Since when. */
            proven_at?: string | null;
            /** @description ESPEES that were confirmed today; counted only under a limit. */
            spent_espees: components["schemas"]["Amount"];
            /** @description Naira that were confirmed today; counted only under a limit. */
            spent_naira: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description The user.
             */
            user_id: number;
        };
        /** @description A message to one user or to all, with where it stands. */
        UserMessage: {
            /**
             * Format: int64
             * @description Which administrator wrote it.
             */
            by_user_id: number;
            /** @description KingsChat messages by where they stand. */
            chat: {
                [key: string]: number;
            };
            /** @description When it was written. */
            created_at: string;
            /** @description When all users had been given it. */
            given_out_at?: string | null;
            /**
             * Format: int64
             * @description The message's id.
             */
            id: number;
            /** @description What it says. */
            message: string;
            /**
             * Format: int64
             * @description How many were given it so far.
             */
            recipients: number;
            /** @description Text messages by where they stand; `no_phone` and other reasons why there is none among them. */
            sms: {
                [key: string]: number;
            };
            /** @description `giving_out` or `given_out`. */
            status: string;
            /**
             * Format: int64
             * @description To whom; null when it is for all.
             */
            user_id?: number | null;
            /** @description That user's name. */
            username?: string | null;
        };
        /** @description A message that was noted. */
        UserMessageNoted: {
            /**
             * Format: int64
             * @description The message's id: see `GET /admin/user-messages/{id}`.
             */
            id: number;
            /** @description For people. */
            message: string;
        };
        /** @description A page of messages. */
        UserMessages: {
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description Newest first. */
            user_messages: components["schemas"]["UserMessage"][];
        };
        /** @description A message with a page of its recipients. */
        UserMessageShown: {
            /** @description Who gets it, by user. */
            recipients: components["schemas"]["Recipient"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description The message. */
            user_message: components["schemas"]["UserMessage"];
        };
        /** @description The answer of `PUT /admin/users/{id}/purpose`. */
        UserPurpose: {
            purpose?: components["schemas"]["Purpose"] | null;
            /**
             * Format: int64
             * @description The user.
             */
            user_id: number;
        };
        /** @description The rate plan of a user. */
        UserRatePlan: {
            /** @description The plan; none: the rates for all. */
            plan?: string | null;
            /**
             * Format: int64
             * @description The user.
             */
            user_id: number;
        };
        /** @description A page of users. */
        Users: {
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description Newest first, unless sorted otherwise. */
            users: components["schemas"]["User"][];
        };
        /** @description How many rows the lists of a user's details have in all. */
        UserTotals: {
            /**
             * Format: int64
             * @description API keys that can be used.
             */
            api_keys?: number;
            /**
             * Format: int64
             * @description Campaigns.
             */
            campaigns: number;
            /**
             * Format: int64
             * @description Campaigns that are scheduled, being sent or paused.
             */
            open_campaigns?: number;
            /**
             * Format: int64
             * @description Own numbers.
             */
            own_numbers: number;
            /** @description ESPEES that are reserved for campaigns. */
            reserved_espees?: components["schemas"]["Amount"];
            /** @description Naira that are reserved for campaigns. */
            reserved_naira?: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Sender ids.
             */
            sender_ids: number;
            /**
             * Format: int64
             * @description Where the user is signed in.
             */
            sessions?: number;
            /**
             * Format: int64
             * @description Movements.
             */
            transactions: number;
            /**
             * Format: int64
             * @description Virtual numbers.
             */
            virtual_numbers: number;
            /**
             * Format: int64
             * @description Calls to many.
             */
            voice_sms: number;
        };
        /** @description A sign-in that waits for the code sent to the e-mail address. */
        VerificationRequired: {
            /** @description For people. */
            message: string;
            /** @description Always true. */
            requires_email_verification: boolean;
            /**
             * Format: int64
             * @description Before another code can be sent.
             */
            resend_after_s?: number;
            /**
             * Format: int64
             * @description How long a code is good that was sent now.
             */
            valid_for_s?: number;
        };
        /** @description The code that came. */
        VerifyEmail: {
            /** @description Six digits. */
            code?: string;
            /** @description The user name or e-mail address that signs in; `email` is taken as well. */
            username?: string;
        };
        /** @description The code that came. */
        VerifyRegistration: {
            /** @description Six digits. */
            code?: string;
            /** @description The number it came to. */
            phone_number?: string;
            /** @description Another user name, where the one that was registered is refused with `username_taken`; the code stays good. */
            username?: string | null;
        };
        /** @description A number of the platform that is assigned to a user, or a request for one. */
        VirtualNumber: {
            /** @description When it was requested, or assigned without a request. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description `pending` or `approved`. */
            status: string;
            /**
             * Format: int64
             * @description Whose it is.
             */
            user_id: number;
            /** @description The owner's user name. */
            username: string;
            /** @description The number, E.164 without `+`; null while the request waits. */
            virtual_num?: string | null;
        };
        /** @description The answer to assigning a virtual number. */
        VirtualNumberAssigned: {
            /** @description For people. */
            message: string;
            /** @description What was assigned. */
            "virtual-Number": components["schemas"]["VirtualNumber"];
        };
        /** @description The price of a pulse of a call from a virtual number, in ESPEES. */
        VirtualNumberPrice: {
            /** @description One record, or none while the price is not set. */
            "VIRTUAL-UNIT-PRICE": components["schemas"]["PriceRecord"][];
        };
        /** @description `GET /api/get-virtual-number` and `GET /admin/get-virtual-numbers`. */
        VirtualNumbers: {
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description Newest first, unless sorted otherwise. */
            "virtual-Number": components["schemas"]["VirtualNumber"][];
        };
        /**
         * @description `POST /api/voice-call`: a quote, the calls that were confirmed, the call that verifies an own number, or the number that
         *     was verified.
         */
        VoiceCallAnswer: components["schemas"]["QuoteAnswer"] | components["schemas"]["VoiceCallSent"] | components["schemas"]["OwnNumberCalled"] | components["schemas"]["OwnNumberVerified"];
        /** @description Calls to many. */
        VoiceCallForm: {
            /**
             * @description Lists that are here already and are called too, as in the form of a campaign: `campaign:ID`, `campaign:ID:failed`,
             *     `import:ID`. May be repeated.
             */
            audience?: string[];
            /**
             * Format: binary
             * @description An MP3, as `POST /api/recordings` takes it.
             */
            audioFile?: Blob | null;
            /** @description A recording of the caller's: its `audioFileUrl`, or its id. */
            audioUrl?: string | null;
            /**
             * @description A canary: how many recipients are called before the rest, as `50` (4,096 at most) or `5%`. The rest waits until enough
             *     of them answered; otherwise the campaign pauses, and its owner resumes or cancels it.
             */
            canary?: string | null;
            /** @description How many of a hundred calls of the canary must be answered, 1 to 100; 30 unless given. */
            canary_delivery?: string | null;
            /**
             * @description Numbers of one's own that are called before the rest beside these, in any form: 20 at most. They may be all of the canary.
             *     One that is not on the list becomes a recipient, and is charged as one.
             */
            canary_seeds?: string | null;
            /** @description How many seconds after each of them was placed once the canary is decided at the latest: 10 to 86,400; 600 unless given. */
            canary_wait_s?: string | null;
            /** @description A column of the file that is read as numbers; detected when it is not given. May be repeated. */
            column?: string[];
            /** @description Recipients in any form: numbers with commas, spaces or new lines, prose. May be repeated. */
            contacts?: string | null;
            /** @description The label, `WEBSMS` unless given: a sender id of the caller's. The phone shows a number, not this. */
            defaultId?: string | null;
            /**
             * @description The keys that answer a question, each with what it stands for: `1=yes` (repeated), `digits[1]=yes`, or an object
             *     `{"1": "yes"}`. At most 10 of `0` to `8`, `*` and `#`; 9 always opts out. A key that is pressed ends the call.
             */
            digits?: string[];
            /**
             * Format: binary
             * @description Recipients as a CSV or text file of any size. May be repeated.
             */
            file?: Blob | null;
            /** @description The same as `groups`. */
            group_ids?: number[];
            /** @description Ids of contact groups that are called too. May be repeated. */
            groups?: number[];
            max_charge?: components["schemas"]["Amount"] | null;
            /**
             * @description An own number of the caller's, verified, that the calls are from. Without contacts and anything to play: a number that
             *     is to be verified.
             */
            own_number?: string | null;
            /** @description `espees` or `paystack` (alias `naira`). */
            payment_method?: string | null;
            /** @description How often the question is played at most, 1 to 3, while no key is pressed. */
            plays?: string | null;
            /**
             * @description What the calls are for: `promotional`, `transactional` or `otp`. Left out: the default of the API key, else of the
             *     account, else `transactional`.
             */
            purpose?: string | null;
            /** @description `1` for a quote: nothing is charged. */
            quote?: string | null;
            /**
             * Format: int64
             * @description To confirm: the quote that `quote=1` answered.
             */
            quote_id?: number | null;
            /**
             * @description When to call: seconds since 1970, RFC 3339, or `YYYY-MM-DD HH:MM` in the user's time zone. May be repeated: one run
             *     for each.
             */
            startTime?: string[];
            /** @description A text that is spoken, of at most `voice.text_chars` (1,600) characters. */
            ttsMsg?: string | null;
            /** @description `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`. */
            ttsVoice?: string | null;
            /** @description `TTS`, `voice` (an MP3) or `past` (a recording); it follows from what is filled in. */
            type?: string | null;
            /** @description The code that a call spoke to `own_number`, six digits: it verifies the number. */
            validation_code?: string | null;
            /** @description A virtual number of the caller's, approved, that the calls are from. */
            virtual_number?: string | null;
        };
        /** @description Calls that were confirmed. */
        VoiceCallSent: {
            /** @description Each run. */
            campaigns: components["schemas"]["Campaign"][];
            /** @description The campaign, or the first run of several. */
            details: components["schemas"]["VoiceCampaign"];
            /** @description `Voice SMS Sent`, or when it will be. */
            message: string;
        };
        /** @description A campaign of calls. */
        VoiceCampaign: components["schemas"]["Campaign"] & {
            /**
             * Format: int64
             * @description Its id, under the specification's name.
             */
            broadcastId: number;
        };
        /** @description The price of a call's pulse in Naira. */
        VoiceNairaPrice: {
            /** @description One record, or none while the price is not set. */
            "VOICE-UNIT-PRICE-NAIRA": components["schemas"]["PriceRecord"][];
        };
        /** @description A text that is to be heard. */
        VoicePreviewForm: {
            /** @description The text, of at most `voice.text_chars` (1,600) characters. Amounts, dates and numbers are said in words. */
            ttsMsg?: string | null;
            /** @description `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`. */
            ttsVoice?: string | null;
        };
        /** @description The price of a call's pulse in ESPEES. */
        VoicePrice: {
            /** @description One record, or none while the price is not set. */
            "VOICE-UNIT-PRICE": components["schemas"]["PriceRecord"][];
        };
        /** @description The price of a call's pulse in both currencies. */
        VoicePrices: {
            /** @description The same again, under the name of the specification's pages: what a pulse costs, not a page. */
            "SMS-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description In ESPEES: that of a page where voice has none of its own; none while neither is set. */
            "VOICE-UNIT-PRICE": components["schemas"]["PriceRecord"][];
            /** @description In Naira: one record, or none while the price is not set. */
            "VOICE-UNIT-PRICE-NAIRA": components["schemas"]["PriceRecord"][];
        };
        /** @description A recording that can be called with, any number of times. */
        VoiceRecord: {
            /** @description Where it is heard, as a WAV, for an hour at least and without a session. */
            audioFileUrl: string;
            /**
             * Format: int64
             * @description Bytes that it takes of what a user may keep.
             */
            bytes: number;
            /** @description When it was uploaded. */
            created_at: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: int64
             * @description How long it takes, in milliseconds.
             */
            length_ms: number;
            /** @description How loud it is: `quiet`, `good` or `loud`. */
            loudness: string;
            /**
             * Format: int64
             * @description The same in figures: its root mean square against full scale, in dBFS.
             */
            loudness_dbfs: number;
            /** @description What it is called. */
            name: string;
            /** @description When it was last called with; none where it never was. */
            used_at?: string | null;
        };
        /** @description `GET /api/get-voice-records`. */
        VoiceRecords: {
            /** @description Newest first. */
            audioUrls: components["schemas"]["VoiceRecord"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description What became of calls to many. */
        VoiceReport: {
            /** @description Where the recording is heard; none of a text, and of a recording that was deleted. */
            audioFileUrl?: string | null;
            /**
             * Format: int64
             * @description Its id, under the specification's name.
             */
            broadcastId: number;
            /** @description The first 1,000 numbers, joined by commas. */
            contacts: string;
            /** @description When it was confirmed. */
            created_at: string;
            /** @description `espees` or `naira`. */
            currency: string;
            /** @description What it took from the ESPEES wallet; 0 when it was paid in Naira. */
            espees_deducted: components["schemas"]["Amount"];
            /** @description Numbers whose calls were not answered, the first 1,000, joined by commas. */
            failed_contacts: string;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /** @description Its calls, one by one. */
            messages_url: string;
            /** @description What was said: the text, or the name of the recording. */
            msg: string;
            /**
             * Format: int64
             * @description How long that takes, in seconds.
             */
            msgLength: number;
            /** @description What it took from the Naira wallet; 0 when it was paid in ESPEES. */
            naira_deducted: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description How many numbers there are.
             */
            no_of_contacts: number;
            /**
             * Format: int64
             * @description Calls that were not.
             */
            no_of_failed_contacts: number;
            /**
             * Format: int64
             * @description Calls that were answered.
             */
            no_of_sent_contacts: number;
            /** @description Of calls that ask a question: how often each answer was given so far. */
            poll?: components["schemas"]["PollAnswer"][] | null;
            /** @description What was refunded: of calls that were not answered, and of pulses that were not used. */
            refunded_amount: components["schemas"]["Amount"];
            /** @description What is reserved for calls that are not over. */
            reserved: components["schemas"]["Amount"];
            /** @description Where it is. */
            status: string;
            /** @description Who spoke it; none of a recording. */
            ttsVoice?: string | null;
            /**
             * Format: int64
             * @description Pulses that were charged.
             */
            units: number;
            /**
             * Format: int64
             * @description Whose it is.
             */
            user_id: number;
            /** @description The owner's user name. */
            username: string;
        };
        /** @description `GET /api/get-sent-voice-sms` and `GET /admin/get-all-sent-voice-sms`. */
        VoiceReports: {
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description Newest first. */
            "Voice-Sms": components["schemas"]["VoiceReport"][];
        };
        /** @description A test call: `POST /api/voice-test` and `GET /api/voice-test/{id}`. */
        VoiceTest: {
            /** @description When it was picked up; told at its end. */
            answered_at?: string | null;
            /**
             * Format: int32
             * @description Trunks that it was tried over.
             */
            attempts: number;
            /**
             * Format: int32
             * @description The trunk's code of how it ended.
             */
            code?: number | null;
            /** @description When it was asked for. */
            created_at: string;
            /** @description The keys that were pressed. */
            digits: string;
            /** @description When it ended. */
            ended_at?: string | null;
            /** @description Who ended it: `caller` (the platform), `callee` or `trunk`. */
            ended_by?: string | null;
            /** @description The number that it is from; none until a trunk has it. */
            from?: string | null;
            /**
             * Format: int64
             * @description How much of the message was played, in milliseconds.
             */
            heard_ms: number;
            /**
             * Format: int64
             * @description Its id.
             */
            id: number;
            /**
             * Format: int64
             * @description How long what is played takes, in milliseconds.
             */
            length_ms: number;
            /** @description In words. */
            message: string;
            /**
             * @description How it ended: `answered`, `busy`, `no_answer`, `rejected`, `invalid_number`, `trunk_error`, `failed`, or `unknown`
             *     where it was cut off; none before.
             */
            outcome?: string | null;
            /** @description Whether it is over. */
            over: boolean;
            /** @description When it rang; told at its end. */
            ringing_at?: string | null;
            /**
             * Format: int64
             * @description How long it was up, in seconds, rounded up; 0 where it was not picked up.
             */
            seconds: number;
            /** @description `calling`, `ringing`, `answered` or `ended`. */
            status: string;
            /** @description The number that is called: the user's own. */
            to: string;
        };
        /** @description What the caller wants to hear. */
        VoiceTestForm: {
            /** @description A recording of the caller's instead: its `audioFileUrl`, or its id. */
            audioUrl?: string | null;
            /** @description A text, of at most `voice.text_chars` (1,600) characters. */
            ttsMsg?: string | null;
            /** @description `uk-female`, which it is when it is left out, `us-female`, `uk-male` or `us-male`. */
            ttsVoice?: string | null;
        };
        /** @description Where ESPEES payments go. */
        WalletAddress: {
            /** @description One record, or none while it is not set. */
            "wallet-Address": components["schemas"]["SettingRecord"][];
        };
        /** @description An address that events are sent to. */
        Webhook: {
            /** @description When it was made. */
            created_at: string;
            /** @description What its owner says of it. */
            description: string;
            /**
             * @description The events that it receives: `campaign.scheduled`, `campaign.sending`, `campaign.paused`, `campaign.completed`,
             *     `campaign.cancelled`, `campaign.failed`, `messages.updated`.
             */
            events: string[];
            /** @description Since when every attempt failed. */
            failing_since?: string | null;
            /**
             * Format: int64
             * @description The webhook's id.
             */
            id: number;
            /** @description Why it was turned off, when its owner did not. */
            inactive_reason?: string | null;
            /** @description Whether events are sent to it. */
            is_active: boolean;
            /**
             * Format: int64
             * @description Deliveries that are still to be made.
             */
            pending: number;
            /** @description When it was changed. */
            updated_at: string;
            /** @description Where requests go. */
            url: string;
            /**
             * Format: int64
             * @description Whose it is.
             */
            user_id: number;
            /** @description Whose it is, by name. */
            username: string;
        };
        /** @description A webhook's log. */
        WebhookDeliveries: {
            /** @description Newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
        };
        /** @description A line of a webhook's log. */
        WebhookDelivery: {
            /**
             * Format: int64
             * @description HTTP status of the last answer.
             */
            answer?: number | null;
            /**
             * Format: int64
             * @description Attempts made; the last of eight comes about 28 hours after the first.
             */
            attempts: number;
            /** @description When it happened. */
            created_at: string;
            /** @description When it was taken. */
            delivered_at?: string | null;
            /** @description `webhook-id` of its requests, the same at every attempt. */
            event_id: string;
            /**
             * Format: int64
             * @description The delivery's id.
             */
            id: number;
            /** @description When it is tried next; only while it is pending. */
            next_attempt_at?: string | null;
            /** @description The beginning of that answer, or why there was none. */
            note?: string | null;
            /** @description `pending`, `delivered` or `failed`. */
            status: string;
            /** @description When it was last tried. */
            tried_at?: string | null;
            /** @description The event's type. */
            type: string;
        };
        /** @description A delivery with what was sent. */
        WebhookDeliveryDetails: {
            /** @description The request's body. */
            body: unknown;
            /** @description The delivery. */
            delivery: components["schemas"]["WebhookDelivery"];
        };
        /** @description A list of webhooks. */
        Webhooks: {
            /**
             * Format: int64
             * @description How many there are.
             */
            total: number;
            /** @description In the order in which they were made; all users' newest first. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description A webhook with the secret that signs its requests, which is shown this once. */
        WebhookWithSecret: {
            /** @description For people. */
            message: string;
            /** @description `whsec_...`: what any library of Standard Webhooks verifies requests with. */
            secret: string;
            /** @description As it is now. */
            webhook: components["schemas"]["Webhook"];
        };
        /** @description Why a message is where it is and what it cost: every ledger entry and status. */
        Why: {
            /** @description The ledger entries that carry its money, with this message's share. */
            entries: components["schemas"]["WhyEntry"][];
            /** @description The whole in one sentence. */
            explanation: string;
            /** @description What happened to it, in order. */
            history: components["schemas"]["HistoryEntry"][];
            /** @description The message. */
            message: components["schemas"]["MessageRow"];
            /** @description What it said. */
            text: string;
        };
        /** @description A ledger entry that carries a message's money. */
        WhyEntry: {
            /** @description The whole transfer's amount. */
            amount: components["schemas"]["Amount"];
            /** @description When. */
            at: string;
            /** @description `reserve`, `capture` or `release`. */
            code: string;
            /**
             * Format: int64
             * @description The transfer's id.
             */
            id: number;
            /** @description In words. */
            narration: string;
            /** @description What it refers to. */
            reference: string;
            /** @description This message's share of it. */
            share: components["schemas"]["Amount"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    set_about_us: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAboutUs"];
                "application/x-www-form-urlencoded": components["schemas"]["SetAboutUs"];
                "multipart/form-data": components["schemas"]["SetAboutUs"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activate_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    admin_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
                "application/x-www-form-urlencoded": components["schemas"]["Login"];
                "multipart/form-data": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_user_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendUserMessage"];
                "application/x-www-form-urlencoded": components["schemas"]["SendUserMessage"];
                "multipart/form-data": components["schemas"]["SendUserMessage"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMessageNoted"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_announcement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The announcement's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementShown"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approve_sender_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sender id's record */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderIdDecided"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assign_virtual_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignVirtualNumber"];
                "application/x-www-form-urlencoded": components["schemas"]["AssignVirtualNumber"];
                "multipart/form-data": components["schemas"]["AssignVirtualNumber"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumberAssigned"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assign_espees: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignEspees"];
                "application/x-www-form-urlencoded": components["schemas"]["AssignEspees"];
                "multipart/form-data": components["schemas"]["AssignEspees"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EspeesAssigned"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    assign_naira: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssignNaira"];
                "application/x-www-form-urlencoded": components["schemas"]["AssignNaira"];
                "multipart/form-data": components["schemas"]["AssignNaira"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NairaAssigned"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_audit: {
        parameters: {
            query?: {
                /** @description What was done, as it stands in an entry. */
                action?: string;
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description What it was done to, as it stands in an entry. */
                subject?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description A user's id or user name. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditTrail"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_carrier_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierTest"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_carriers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Carriers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    order_breaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderBreaker"];
                "application/x-www-form-urlencoded": components["schemas"]["OrderBreaker"];
                "multipart/form-data": components["schemas"]["OrderBreaker"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierHeld"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    drain_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["HoldCarrier"];
                "multipart/form-data": components["schemas"]["HoldCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierHeld"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    hang_up_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["HoldCarrier"];
                "multipart/form-data": components["schemas"]["HoldCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierHeld"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pause_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["HoldCarrier"];
                "multipart/form-data": components["schemas"]["HoldCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierHeld"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reroute_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RerouteCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["RerouteCarrier"];
                "multipart/form-data": components["schemas"]["RerouteCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierRerouted"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HoldCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["HoldCarrier"];
                "multipart/form-data": components["schemas"]["HoldCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierHeld"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["TestCarrier"];
                "multipart/form-data": components["schemas"]["TestCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierTest"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_carrier_trace: {
        parameters: {
            query?: {
                /** @description Only lines after this one. */
                after?: number;
            };
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierTrace"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    trace_carrier: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TraceCarrier"];
                "application/x-www-form-urlencoded": components["schemas"]["TraceCarrier"];
                "multipart/form-data": components["schemas"]["TraceCarrier"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierTrace"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reload_carriers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarriersReloaded"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_contact_address: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAddress"];
                "application/x-www-form-urlencoded": components["schemas"]["SetAddress"];
                "multipart/form-data": components["schemas"]["SetAddress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_contact_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetEmail"];
                "application/x-www-form-urlencoded": components["schemas"]["SetEmail"];
                "multipart/form-data": components["schemas"]["SetEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_contact_phone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPhone"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPhone"];
                "multipart/form-data": components["schemas"]["SetPhone"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deactivate_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_own_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The own number's record */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumberWithdrawn"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDeleted"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_virtual_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The virtual number's record */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disable_maintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchMaintenance"];
                "application/x-www-form-urlencoded": components["schemas"]["SwitchMaintenance"];
                "multipart/form-data": components["schemas"]["SwitchMaintenance"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceSwitched"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disapprove_sender_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sender id's record */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisapproveSenderId"];
                "application/x-www-form-urlencoded": components["schemas"]["DisapproveSenderId"];
                "multipart/form-data": components["schemas"]["DisapproveSenderId"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderIdDecided"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_dnd: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DndNumbers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_dnd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportDnd"];
                "application/x-www-form-urlencoded": components["schemas"]["ImportDnd"];
                "multipart/form-data": components["schemas"]["ImportDnd"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DndImported"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enable_maintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchMaintenance"];
                "application/x-www-form-urlencoded": components["schemas"]["SwitchMaintenance"];
                "multipart/form-data": components["schemas"]["SwitchMaintenance"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceSwitched"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_figures: {
        parameters: {
            query?: {
                /** @description Hours, 1 to 168; 24 when left out. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Figures"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watch_figures: {
        parameters: {
            query?: {
                /** @description Hours, 1 to 168; 24 when left out. */
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ServerSentEvent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_about_us: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AboutUs"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_admin_number: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNumber"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_active_users: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The name of a rate plan: only users who have it. */
                rate_plan?: string;
                /** @description `user` or `admin`. */
                role?: string;
                /** @description The column to sort by: `id`, `created_at`, `username`, `name`, `email`, `last_login_at`. `id` when left out. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveUsers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_campaigns: {
        parameters: {
            query?: {
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description 0 leaves `contacts` and `failed_contacts` empty, for a caller who asks often. */
                numbers?: number;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `promotional`, `transactional` or `otp`. */
                purpose?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `scheduled_at`, `status`, `senderid`, `total_charges`, `username`. `id` when left out. `scheduled_at` is `created_at` for what goes out at once. */
                sort?: string;
                /** @description `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
                type?: string;
                /** @description A user's id or user name. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaigns"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_inactive_users: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The name of a rate plan: only users who have it. */
                rate_plan?: string;
                /** @description `user` or `admin`. */
                role?: string;
                /** @description The column to sort by: `id`, `created_at`, `username`, `name`, `email`, `last_login_at`. `id` when left out. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InactiveUsers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_sent_voice: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceReports"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_transactions: {
        parameters: {
            query?: {
                /** @description Where another list ended: its `beyond`. */
                beyond?: number;
                /** @description Only what this campaign reserved, released or refunded. */
                campaign_id?: number;
                /** @description `espees` or `naira`; both when it is left out. */
                currency?: string;
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`. */
                kind?: string;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `transaction_date`, `price`. `transaction_date` when left out. */
                sort?: string;
                /** @description `successful`, `pending`, `failed`, `expired` or `mismatch`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description A user's id or user name. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllTransactions"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_announcements: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Announcements"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_address: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAddress"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactEmail"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_phone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPhone"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_espee_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EspeeApiKey"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_maintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceStatus"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_own_numbers: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `phone_number`, `username`, `status`. `id` when left out. */
                sort?: string;
                /** @description `all`, `pending` or `verified`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumbers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_own_number_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumberPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_paystack_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaystackKeys"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_sender_ids: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `sender_id`, `username`, `status`. `id` when left out. */
                sort?: string;
                /** @description `all`, `pending`, `approved`, `disapproved`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllSenderIds"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_sms_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsApiKey"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_sms_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_sms_price_naira: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsNairaPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_user_details: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDetails"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_virtual_numbers: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `virtual_num`, `username`, `status`. `id` when left out. */
                sort?: string;
                /** @description `all`, `pending` or `approved`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumbers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_virtual_number_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumberPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_voice_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoicePrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_voice_price_naira: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceNairaPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_wallet_address: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAddress"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    manage_announcement: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManageAnnouncement"];
                "application/x-www-form-urlencoded": components["schemas"]["ManageAnnouncement"];
                "multipart/form-data": components["schemas"]["ManageAnnouncement"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnnouncementManaged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_margins: {
        parameters: {
            query?: {
                /** @description A carrier's name. */
                carrier?: string;
                /** @description The first day, `YYYY-MM-DD`, in Africa/Lagos. */
                from?: string;
                /** @description A network's name. */
                network?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description The last day. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Margins"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolve_messages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resolve"];
                "application/x-www-form-urlencoded": components["schemas"]["Resolve"];
                "multipart/form-data": components["schemas"]["Resolve"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_platform_optouts: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOuts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_platform_optout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddOptOut"];
                "application/x-www-form-urlencoded": components["schemas"]["AddOptOut"];
                "multipart/form-data": components["schemas"]["AddOptOut"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_platform_optout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The opt-out's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_platform_optouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_platform_optouts: {
        parameters: {
            query?: {
                /** @description `1` to be answered at once, with an import to watch. */
                background?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportForm"];
                "application/x-www-form-urlencoded": components["schemas"]["ImportForm"];
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_payment_events: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEvents"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_payments: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `paystack` or `espees`. */
                provider?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`. */
                status?: string;
                /** @description A user's id or user name. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payments"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recheck_payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The payment's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rechecked"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_price_changes: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description The name of a price, such as `SMS-UNIT-PRICE`, or of a rate, such as `RATE +44 naira`. */
                price?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceHistory"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rate_costs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateCosts"];
                "application/x-www-form-urlencoded": components["schemas"]["RateCosts"];
                "multipart/form-data": components["schemas"]["RateCosts"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateCosts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_rates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rates"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_rates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRates"];
                "application/x-www-form-urlencoded": components["schemas"]["SetRates"];
                "multipart/form-data": components["schemas"]["SetRates"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RatesChanged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sender_purpose: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The sender id's record */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPurpose"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPurpose"];
                "multipart/form-data": components["schemas"]["SetPurpose"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderPurpose"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_admin_number: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAdminNumber"];
                "application/x-www-form-urlencoded": components["schemas"]["SetAdminNumber"];
                "multipart/form-data": components["schemas"]["SetAdminNumber"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_espee_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetApiKey"];
                "application/x-www-form-urlencoded": components["schemas"]["SetApiKey"];
                "multipart/form-data": components["schemas"]["SetApiKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_own_number_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_paystack_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPaystackKeys"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPaystackKeys"];
                "multipart/form-data": components["schemas"]["SetPaystackKeys"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrices"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrices"];
                "multipart/form-data": components["schemas"]["SetPrices"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesChanged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sms_abroad_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sms_abroad_price_naira: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sms_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetApiKey"];
                "application/x-www-form-urlencoded": components["schemas"]["SetApiKey"];
                "multipart/form-data": components["schemas"]["SetApiKey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sms_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_sms_price_naira: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_virtual_number_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_voice_price: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_voice_price_naira: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPrice"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPrice"];
                "multipart/form-data": components["schemas"]["SetPrice"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceSet"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_wallet_address: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWalletAddress"];
                "application/x-www-form-urlencoded": components["schemas"]["SetWalletAddress"];
                "multipart/form-data": components["schemas"]["SetWalletAddress"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_subject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number, in any usual form */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subject"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    erase_subject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number, in any usual form */
                number: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseSubject"];
                "application/x-www-form-urlencoded": components["schemas"]["EraseSubject"];
                "multipart/form-data": components["schemas"]["EraseSubject"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedSubject"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_subject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number, in any usual form */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_unknown_messages: {
        parameters: {
            query?: {
                /** @description Only those of this campaign. */
                campaign_id?: number;
                /** @description A carrier's name. */
                carrier?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A user's id or user name. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_user_messages: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMessages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_user_message: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description The message's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserMessageShown"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The name of a rate plan: only users who have it. */
                rate_plan?: string;
                /** @description `user` or `admin`. */
                role?: string;
                /** @description The column to sort by: `id`, `created_at`, `username`, `name`, `email`, `last_login_at`. `id` when left out. */
                sort?: string;
                /** @description `active` or `inactive`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Users"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateUser"];
                "multipart/form-data": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedUser"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_user_codes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetCodes"];
                "application/x-www-form-urlencoded": components["schemas"]["SetCodes"];
                "multipart/form-data": components["schemas"]["SetCodes"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserCodes"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_legal_hold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutLegalHold"];
                "application/x-www-form-urlencoded": components["schemas"]["PutLegalHold"];
                "multipart/form-data": components["schemas"]["PutLegalHold"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLegalHold"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lift_legal_hold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLegalHold"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_user_limits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLimits"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_user_limits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetLimits"];
                "application/x-www-form-urlencoded": components["schemas"]["SetLimits"];
                "multipart/form-data": components["schemas"]["SetLimits"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserLimits"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_user_purpose: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPurpose"];
                "application/x-www-form-urlencoded": components["schemas"]["SetPurpose"];
                "multipart/form-data": components["schemas"]["SetPurpose"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPurpose"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    set_rate_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRatePlan"];
                "application/x-www-form-urlencoded": components["schemas"]["SetRatePlan"];
                "multipart/form-data": components["schemas"]["SetRatePlan"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserRatePlan"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_all_webhooks: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_api_keys: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateApiKey"];
                "multipart/form-data": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_api_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_avatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What the profile shows */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_campaign: {
        parameters: {
            query?: {
                /** @description 0 leaves `contacts` and `failed_contacts` empty, for a caller who asks often. */
                numbers?: number;
            };
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    break_down_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Breakdown"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignChanged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watch_campaign: {
        parameters: {
            query?: {
                /** @description `1` to wait for receipts too. */
                receipts?: string;
            };
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ServerSentEvent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_campaign_form: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilledForm"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_campaign_messages: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /**
                 * @description Only those that are in `status` for this reason, in the words of the campaign's breakdown; `none` for those of
                 *     which nothing was said.
                 */
                reason?: string;
                /** @description Only messages in this status, or `failed`. */
                status?: string;
            };
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pause_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignChanged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resend_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume_campaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignChanged"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
                "application/x-www-form-urlencoded": components["schemas"]["ChangePassword"];
                "multipart/form-data": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmEmail"];
                "multipart/form-data": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedProfile"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_phone: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPhone"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmPhone"];
                "multipart/form-data": components["schemas"]["ConfirmPhone"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedProfile"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_schedule_flash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_schedule_text: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_schedule_unicode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_schedule_vcard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_schedule_wap_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_send_flash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_send_text: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_send_unicode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_send_vcard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_send_wap_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_contacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_contact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContact"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateContact"];
                "multipart/form-data": components["schemas"]["CreateContact"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_group: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupForm"];
                "application/x-www-form-urlencoded": components["schemas"]["GroupForm"];
                "multipart/form-data": components["schemas"]["GroupForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_contact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_delivery_reports: {
        parameters: {
            query?: {
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description Only messages in this status, or `failed`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_drafts: {
        parameters: {
            query?: {
                /** @description Only those of `sms` or of `call`. */
                form?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormDrafts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_draft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDraft"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateDraft"];
                "multipart/form-data": components["schemas"]["CreateDraft"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftSaved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_draft_by_key: {
        parameters: {
            query?: {
                /** @description The key that it was begun with. */
                key?: string;
                /** @description Only this version of the draft; whichever it has when it is left out. */
                version?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FormDraft"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    save_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveDraft"];
                "application/x-www-form-urlencoded": components["schemas"]["SaveDraft"];
                "multipart/form-data": components["schemas"]["SaveDraft"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftSaved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_draft: {
        parameters: {
            query?: {
                /** @description Only this version of the draft; whichever it has when it is left out. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_draft_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DraftFileForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftFileAdded"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_draft_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The file's id */
                file: number;
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_draft_file: {
        parameters: {
            query?: {
                /** @description The version of the draft that is changed. */
                version?: number;
            };
            header?: never;
            path: {
                /** @description The file's id */
                file: number;
                /** @description The draft's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftSaved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    edit_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["EditProfile"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EditedProfile"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_about_us_to_visitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AboutUs"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_campaigns: {
        parameters: {
            query?: {
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description 0 leaves `contacts` and `failed_contacts` empty, for a caller who asks often. */
                numbers?: number;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `promotional`, `transactional` or `otp`. */
                purpose?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `scheduled_at`, `status`, `senderid`, `total_charges`. `id` when left out. `scheduled_at` is `created_at` for what goes out at once. */
                sort?: string;
                /** @description `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Campaigns"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_address_to_visitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAddress"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_email_to_visitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactEmail"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_contact_phone_to_visitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPhone"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_balances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balances"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_failed_messages: {
        parameters: {
            query?: {
                /** @description A message's id: only older campaigns. */
                before?: number;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_last_sent_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastSentMessage"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_maintenance_to_visitors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceStatus"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_own_numbers: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `phone_number`, `status`. `id` when left out. */
                sort?: string;
                /** @description `all`, `pending` or `verified`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumbers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_own_number_price_to_users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumberPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sender_ids: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `sender_id`, `status`. `id` when left out. */
                sort?: string;
                /** @description `approved` unless given; `all`, `pending`, `disapproved`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderIds"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sent_messages: {
        parameters: {
            query?: {
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description 0 leaves `contacts` and `failed_contacts` empty, for a caller who asks often. */
                numbers?: number;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `promotional`, `transactional` or `otp`. */
                purpose?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `scheduled_at`, `status`, `senderid`, `total_charges`. `id` when left out. `scheduled_at` is `created_at` for what goes out at once. */
                sort?: string;
                /** @description `scheduled`, `sending`, `paused`, `completed`, `cancelled` or `failed`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
                /** @description `text`, `flash`, `unicode`, `wap-push` or `vcard`. */
                type?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentMessages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sent_voice: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceReports"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_sms_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsPrices"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_transactions: {
        parameters: {
            query?: {
                /** @description Where another list ended: its `beyond`. */
                beyond?: number;
                /** @description Only what this campaign reserved, released or refunded. */
                campaign_id?: number;
                /** @description `espees` or `naira`; both when it is left out. */
                currency?: string;
                /** @description From this day or time on, in the caller's zone unless it says another. */
                from?: string;
                /** @description `payment`, `transfer`, `credit`, `reserve`, `release` or `refund`. */
                kind?: string;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `transaction_date`, `price`. `transaction_date` when left out. */
                sort?: string;
                /** @description `successful`, `pending`, `failed`, `expired` or `mismatch`. */
                status?: string;
                /** @description Up to this time, or the end of this day. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnTransactions"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_virtual_numbers: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `id`, `created_at`, `virtual_num`, `status`. `id` when left out. */
                sort?: string;
                /** @description `all`, `pending` or `approved`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumbers"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_virtual_number_price_to_users: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VirtualNumberPrice"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_voice_records: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceRecords"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_voice_prices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoicePrices"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_active_announcements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActiveAnnouncements"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_contacts: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `created_at`, `phone`, `name`. `created_at` when left out. More than 20,000 contacts are sorted by `created_at` only. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contacts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_groups: {
        parameters: {
            query?: {
                /** @description The name of one group. */
                group_name?: string;
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `created_at`, `group_name`, `contacts_count`. `created_at` when left out. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Groups"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupShown"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_group_contacts: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `created_at`, `phone`, `name`. `created_at` when left out. More than 20,000 contacts are sorted by `created_at` only. */
                sort?: string;
            };
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contacts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_contacts_with_groups: {
        parameters: {
            query?: {
                /** @description `asc` or `desc`; `desc` when left out. */
                order?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description The column to sort by: `created_at`, `phone`, `name`. `created_at` when left out. More than 20,000 contacts are sorted by `created_at` only. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactsWithGroups"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_into_group: {
        parameters: {
            query?: {
                /** @description `1` to be answered at once, with an import to watch. */
                background?: string;
            };
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportForm"];
                "application/x-www-form-urlencoded": components["schemas"]["ImportForm"];
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_into_new_group: {
        parameters: {
            query?: {
                /** @description `1` to be answered at once, with an import to watch. */
                background?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportForm"];
                "application/x-www-form-urlencoded": components["schemas"]["ImportForm"];
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_imports: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imports"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_import: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImport"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    watch_import: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ServerSentEvent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_import_rejects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_inbound_messages: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboundMessages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    kingschat_login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Brought"];
                "application/x-www-form-urlencoded": components["schemas"]["Brought"];
                "multipart/form-data": components["schemas"]["Brought"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatSignedIn"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    take_kingschat_code: {
        parameters: {
            query?: {
                /** @description The code. */
                code?: string;
                /** @description The nonce that `POST /api/kingschat/start` sent there. */
                origin?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says so, or a problem */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    take_kingschat_form: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Back"];
                "application/x-www-form-urlencoded": components["schemas"]["Back"];
                "multipart/form-data": components["schemas"]["Back"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A page that says so, or a problem */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/html": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finish_kingschat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Finish"];
                "application/x-www-form-urlencoded": components["schemas"]["Finish"];
                "multipart/form-data": components["schemas"]["Finish"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatSignedIn"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatProgress"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_kingschat_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatLink"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    link_kingschat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Brought"];
                "application/x-www-form-urlencoded": components["schemas"]["Brought"];
                "multipart/form-data": components["schemas"]["Brought"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlink_kingschat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_kingschat_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatStarted"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_kingschat_options: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatOptions"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_kingschat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatStarted"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
                "application/x-www-form-urlencoded": components["schemas"]["Login"];
                "multipart/form-data": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    find_messages: {
        parameters: {
            query: {
                /** @description Only those of this campaign. */
                campaign_id?: number;
                /** @description The number, in any form. */
                number: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Messages"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SingleForm"];
                "application/x-www-form-urlencoded": components["schemas"]["SingleForm"];
                "multipart/form-data": components["schemas"]["SingleForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explain_message: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Why"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_optouts: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOuts"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_optout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddOptOut"];
                "application/x-www-form-urlencoded": components["schemas"]["AddOptOut"];
                "multipart/form-data": components["schemas"]["AddOptOut"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptOutAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_optout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The opt-out's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    export_optouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_optouts: {
        parameters: {
            query?: {
                /** @description `1` to be answered at once, with an import to watch. */
                background?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportForm"];
                "application/x-www-form-urlencoded": components["schemas"]["ImportForm"];
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_own_number_call: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The call's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumberCall"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    withdraw_own_number: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The number, in any usual form */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnNumberWithdrawn"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgot_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPassword"];
                "application/x-www-form-urlencoded": components["schemas"]["ForgotPassword"];
                "multipart/form-data": components["schemas"]["ForgotPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reset_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
                "application/x-www-form-urlencoded": components["schemas"]["ResetPassword"];
                "multipart/form-data": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEspees"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmEspees"];
                "multipart/form-data": components["schemas"]["ConfirmEspees"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentConfirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    initiate_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InitiateEspees"];
                "application/x-www-form-urlencoded": components["schemas"]["InitiateEspees"];
                "multipart/form-data": components["schemas"]["InitiateEspees"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EspeesBegun"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_payments: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `paystack` or `espees`. */
                provider?: string;
                /** @description A text to search for, at most 200 characters. */
                q?: string;
                /** @description `initiated`, `pending`, `settled`, `failed`, `expired` or `mismatch`. */
                status?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payments"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_paystack_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPaystack"];
                "application/x-www-form-urlencoded": components["schemas"]["ConfirmPaystack"];
                "multipart/form-data": components["schemas"]["ConfirmPaystack"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentConfirmed"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    initiate_paystack_payment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InitiatePaystack"];
                "application/x-www-form-urlencoded": components["schemas"]["InitiatePaystack"];
                "multipart/form-data": components["schemas"]["InitiatePaystack"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaystackBegun"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_quote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The quote's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_quote_rejects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The quote's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_rates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rates"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_recipients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientsForm"];
                "application/x-www-form-urlencoded": components["schemas"]["RecipientsForm"];
                "multipart/form-data": components["schemas"]["RecipientsForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientsCheck"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_recording: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["RecordingForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingAdded"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The recording's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    play_recording: {
        parameters: {
            query?: {
                /** @description When the address ends, in milliseconds. */
                expires?: number;
                /** @description When the recording was made, in milliseconds. */
                made?: number;
                /** @description The signature of the rest. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description The recording's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WAV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description A range of it */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resend_registration_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendCode"];
                "application/x-www-form-urlencoded": components["schemas"]["ResendCode"];
                "multipart/form-data": components["schemas"]["ResendCode"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_registration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRegistration"];
                "application/x-www-form-urlencoded": components["schemas"]["StartRegistration"];
                "multipart/form-data": components["schemas"]["StartRegistration"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verify_registration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRegistration"];
                "application/x-www-form-urlencoded": components["schemas"]["VerifyRegistration"];
                "multipart/form-data": components["schemas"]["VerifyRegistration"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registered"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    request_sender_ids: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestSenderIds"];
                "application/x-www-form-urlencoded": components["schemas"]["RequestSenderIds"];
                "multipart/form-data": components["schemas"]["RequestSenderIds"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SenderIdsRequested"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    request_virtual_number: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule_flash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule_text: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule_unicode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule_vcard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule_wap_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_flash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_text: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_unicode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_vcard: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_wap_push: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CampaignForm"];
                "application/x-www-form-urlencoded": components["schemas"]["CampaignForm"];
                "multipart/form-data": components["schemas"]["CampaignForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sessions"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_other_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reauthenticate"];
                "application/x-www-form-urlencoded": components["schemas"]["Reauthenticate"];
                "multipart/form-data": components["schemas"]["Reauthenticate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_templates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Templates"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_template: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateForm"];
                "application/x-www-form-urlencoded": components["schemas"]["TemplateForm"];
                "multipart/form-data": components["schemas"]["TemplateForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSaved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateForm"];
                "application/x-www-form-urlencoded": components["schemas"]["TemplateForm"];
                "multipart/form-data": components["schemas"]["TemplateForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateSaved"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transfer_fund: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Transfer"];
                "application/x-www-form-urlencoded": components["schemas"]["Transfer"];
                "multipart/form-data": components["schemas"]["Transfer"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transferred"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_contact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The contact's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateContact"];
                "application/x-www-form-urlencoded": components["schemas"]["UpdateContact"];
                "multipart/form-data": components["schemas"]["UpdateContact"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    update_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The group's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupForm"];
                "application/x-www-form-urlencoded": components["schemas"]["GroupForm"];
                "multipart/form-data": components["schemas"]["GroupForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verify_email: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyEmail"];
                "application/x-www-form-urlencoded": components["schemas"]["VerifyEmail"];
                "multipart/form-data": components["schemas"]["VerifyEmail"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resend_sign_in_code: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendSignInCode"];
                "application/x-www-form-urlencoded": components["schemas"]["ResendSignInCode"];
                "multipart/form-data": components["schemas"]["ResendSignInCode"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    call_many: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["VoiceCallForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceCallAnswer"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preview_voice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoicePreviewForm"];
                "application/x-www-form-urlencoded": components["schemas"]["VoicePreviewForm"];
                "multipart/form-data": components["schemas"]["VoicePreviewForm"];
            };
        };
        responses: {
            /** @description The WAV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_voice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VoiceTestForm"];
                "application/x-www-form-urlencoded": components["schemas"]["VoiceTestForm"];
                "multipart/form-data": components["schemas"]["VoiceTestForm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTest"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_voice_test: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The test call's id */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceTest"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_statement: {
        parameters: {
            query?: {
                /** @description `espees` or `naira`; both when it is left out. */
                currency?: string;
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
                "application/x-www-form-urlencoded": components["schemas"]["CreateWebhook"];
                "multipart/form-data": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    edit_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EditWebhook"];
                "application/x-www-form-urlencoded": components["schemas"]["EditWebhook"];
                "multipart/form-data": components["schemas"]["EditWebhook"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedWebhook"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description The page, from 1. Without it the answer holds the first 1,000 rows. */
                page?: number;
                /** @description Rows of a page, at most 1,000; 20 when only `page` is given. */
                per_page?: number;
                /** @description `pending`, `delivered` or `failed`. */
                status?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    show_webhook_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery: number;
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliver_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                delivery: number;
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivered"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliver_failed_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivered"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    send_sms_by_url: {
        parameters: {
            query: {
                /** @description Repeated by the placeholder `%o`. */
                account?: string;
                /** @description Repeated by the placeholder `%B`. */
                binfo?: string;
                /** @description The charset of `text`; UTF-8 when it is left out, with `coding` 2 UTF-16BE. */
                charset?: string;
                /** @description 0 for GSM 7 bit, which is meant when it is left out, 2 for UCS-2. 1 (8 bit) is refused. */
                coding?: number;
                /** @description Minutes that it waits: up to a year. */
                deferred?: number;
                /**
                 * @description Events that `dlr-url` is called for, a sum of 1 delivered, 2 not delivered, 8 accepted by the carrier, 16 refused by
                 *     it. 4 and 32 are taken and never happen. `dlrmask` is the same.
                 */
                "dlr-mask"?: number;
                /** @description Called by GET for these events, with Kannel's placeholders; at most 2,000 bytes. `dlrurl` is the same. */
                "dlr-url"?: string;
                /** @description The sender id: `WEBSMS`, or an approved one. */
                from: string;
                /** @description 0 for a flash message; 1 is an ordinary one. 2 and 3 are refused. */
                mclass?: number;
                /** @description An API key with the scope `send`. `pass` is the same. */
                password: string;
                /** @description `espees` or `paystack` (alias `naira`), which is meant when it is left out. Kannel has no such parameter. */
                payment_method?: string;
                /** @description What it says, in `charset`. */
                text: string;
                /** @description The number, in any form; up to 50 with spaces between them, each a message of its own. */
                to: string;
                /** @description The user's name, or the beginning of the API key that lists show (`td_` and eight digits). `user` is the same. */
                username: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `0: Accepted for delivery`, or `3: Queued for later delivery`; numbers that get no message follow. */
            202: {
                headers: {
                    /** @description The numbers that got no message by a fault, with commas between them: digits only. */
                    "x-failed-receivers"?: string;
                    /** @description The ids of the messages, with commas between them. */
                    "x-message-ids"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What Kannel says of the parameter at fault, or why the platform refuses the message. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `Authorization failed for sendsms` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `Temporal failure, try again later.` with 503, 500 where the message may have been sent, or another refusal in words. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    send_sms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SendSms"];
            };
        };
        responses: {
            /** @description `0: Accepted for delivery`, or `3: Queued for later delivery`; numbers that get no message follow. */
            202: {
                headers: {
                    /** @description The numbers that got no message by a fault, with commas between them: digits only. */
                    "x-failed-receivers"?: string;
                    /** @description The ids of the messages, with commas between them. */
                    "x-message-ids"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What Kannel says of the parameter at fault, or why the platform refuses the message. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `Authorization failed for sendsms` */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description `Temporal failure, try again later.` with 503, 500 where the message may have been sent, or another refusal in words. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    fetch_clip: {
        parameters: {
            query?: {
                /** @description When the address ends, in milliseconds. */
                expires?: number;
                /** @description The signature of the rest. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description The clip's file name */
                clip: string;
                /** @description The carrier's name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WAV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description A range of it */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": unknown;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    hear_paystack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": string;
                "application/x-www-form-urlencoded": string;
                "multipart/form-data": string;
            };
        };
        responses: {
            /** @description Heard; also of what is nothing to us */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description A problem: the field `code` says which, `message` says what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
