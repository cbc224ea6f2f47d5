//! The longer texts of `--help` and of the manual.

/// The global options in `--help`, a line each.
pub(super) const GLOBAL_OPTIONS: &str = "\
Global options:
  -o, --output <FORMAT>     table, json, jsonl or csv [default: table]
      --columns <NAME,...>  Only these columns of a table or CSV
  -q, --quiet               Say nothing but errors and data that was asked for
      --force               Write over files that exist
      --no-color            Print no colours
      --profile <NAME>      Which stored sign-in to use [default: default]
      --url <URL>           The daemon's address [default: the profile's]
      --token <TOKEN>       An API key or a token; better in TALKDRUM_TOKEN";

/// Below `-h` of a command.
pub(super) const GLOBAL_OPTIONS_SHORT: &str = "Global options, such as -o json, are in --help.";

/// Below `talkdrum -h`.
pub(super) const BELOW_SHORT_HELP: &str = "\
Global options, such as -o json, exit codes and environment are in --help;
'talkdrum help COMMAND' tells all of one.";

/// Below the options of `talkdrum --help`: exit codes and environment.
pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0    done
  1    failed: no daemon, no such thing, a file that cannot be written,
       a campaign that failed
  2    usage error, or a file that cannot be read; the daemon was not asked
  3    not signed in, or not allowed
  4    refused by a rule: balance, validation, conflict
  5    done, with more failures than --fail-if allows
  6    it goes on: --timeout ended the waiting, or the daemon is away
  130  interrupted

Environment:
  TALKDRUM_URL       the daemon's address
                     [default: the profile's, else http://127.0.0.1:8080]
  TALKDRUM_TOKEN     a session token or an API key (td_...)
  TALKDRUM_PROFILE   which stored sign-in to use
  TALKDRUM_PASSWORD  your password, where a command asks for it again
  TALKDRUM_ZONE      the time zone in which times are read and shown
                     [default: the profile's, TZ's unless it is UTC,
                     Africa/Lagos]

Data goes to stdout; progress, questions, notes and errors go to stderr.";

/// Below `send --help`.
pub(super) const SEND_HELP: &str = "\
Recipients are numbers in any usual form, files (CSV or TXT) or '-' for stdin. Files are streamed, so they may be \
of any size. Duplicates are removed and bad entries listed before anything is charged.

With --key K the quote is asked for under the idempotency key K/quote and confirmed under K/confirm. Running the \
same command again with the same key shows the same campaign and neither sends nor charges twice, whether the \
first run ended well or not. The daemon remembers keys for 30 days. The same key with another message or list is \
refused. A quote that ran out before it was confirmed sent nothing, and is asked for again under K/quote.2, K/quote.3 \
and so on. Without --key a random key protects the retries of one run only.

Examples:
  talkdrum send --to customers.csv -m 'We are open on Saturday' --dry-run
  talkdrum send --to 08031234567,08051234567 -m 'It is ready' --pay naira
  talkdrum send --to list.txt --message-file text.txt --at 'monday 09:00' --yes
  talkdrum send --to due.csv -m 'Payment is due' --yes --key due-2027-01
  talkdrum send --to - -m 'Water' --yes --wait --fail-if 'failed>5%' < list.txt";

/// Below `contacts import --help`.
pub(super) const IMPORT_HELP: &str = "\
The file is a list of numbers or a table of any size. Its columns are detected: the number, the name, the e-mail \
address; every other column becomes a merge field. A number is in a group once: importing it again brings its name, \
address and fields up to date, and what the file does not say is not erased. So an import can be repeated at any time.

For cron: with -q nothing is printed while all is well. Two imports into one group never overlap: the second ends with \
4. With --if-changed a file that was imported completely the last time is passed over; the daemon is asked whether \
that import and its group are still there.

Examples:
  talkdrum contacts import customers.csv --group Customers --create
  talkdrum contacts import - --group Members -q --fail-if 'invalid>5%' < m.csv
  talkdrum contacts import due.csv --group Due --if-changed --rejects bad.csv -q";
