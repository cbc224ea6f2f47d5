//! `talkdrumd config`: what is in effect, and with `--check` what is wrong with it.

use std::process::ExitCode;
use std::sync::Arc;

use talkdrum_core::entropy::{Entropy, SystemEntropy};

use super::{print, say};
use crate::args::ConfigArgs;
use crate::config::{self, Overrides};
use crate::lifecycle::preflight;

pub(super) fn run(overrides: &Overrides, args: &ConfigArgs) -> anyhow::Result<ExitCode> {
    if !args.check {
        return print(config::masked(&config::load(overrides)?)?.trim_end());
    }
    let mut reading = config::read(overrides);
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let mut faults = preflight::faults(reading.settings(), &entropy);
    reading.settings().check_carrier_files(&mut faults);
    reading.add(faults);
    let warnings = preflight::warnings(reading.settings());
    let finished = reading.finish();
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    finished?;
    print("ok: serve takes these settings")
}
