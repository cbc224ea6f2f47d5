//! Starting, doing nothing, and size on disk.

use std::time::Duration;

use crate::Setup;
use crate::rig::{Plan, Rig};
use crate::table::{Figure, Goal, Unit};

/// Measures them.
pub(crate) async fn measure(setup: &Setup, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let mut starts = Vec::new();
    for _ in 0..2 {
        let rig = Rig::start(&setup.programs, &Plan::default()).await?;
        starts.push(rig.start.as_secs_f64() * 1e3);
        rig.close()?;
    }
    let rig = Rig::start(&setup.programs, &Plan { rest: Duration::from_secs(2), ..Plan::default() }).await?;
    starts.push(rig.start.as_secs_f64() * 1e3);
    starts.sort_by(f64::total_cmp);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (_, after) = rig.daemon.memory();
    let size = std::fs::metadata(&setup.programs.daemon)?.len() as f64 / 1_048_576.0;
    figures.extend([
        Figure::new("daemon start", Unit::Millis, Goal::AtMost(50.0, Some(20.0)), starts[1])
            .note("from the process to the first connection it takes, the middle of three"),
        Figure::new("idle memory", Unit::Mebibytes, Goal::AtMost(40.0, Some(25.0)), rig.idle)
            .note(format!("two seconds after the start; {after:.1} MiB after two people signed in, whose password hashes take 19 MiB each for a moment")),
        Figure::new("binary size", Unit::Mebibytes, Goal::AtMost(36.0, Some(25.0)), size),
    ]);
    rig.close().map(|_| ())
}
