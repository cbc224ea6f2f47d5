//! `talkdrum dnd import`.
//!
//! A list of millions is sent in pieces, cut at line ends: putting a number on the list twice changes nothing, so a
//! broken import is simply run again.

use std::io::{BufRead, BufReader, Read};

use serde_json::json;
use talkdrum_core::api::carrier::DndImported;

use crate::args::ImportDndArgs;
use crate::client::{Answer, Client};
use crate::cmd::Context;
use crate::exit::{Exit, Failure, Result};

/// A piece is about so long, in bytes; a body may have a mebibyte.
const PIECE: usize = 512 * 1024;

/// Sends the numbers of a file.
pub(crate) async fn run(context: &Context, args: ImportDndArgs) -> Result<Exit> {
    let reader: Box<dyn Read> = if args.file.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        let file = std::fs::File::open(&args.file);
        Box::new(
            file.map_err(|error| Failure::usage(format!("{} cannot be read: {error}", args.file.display())))?,
        )
    };
    let (client, mut lines) = (context.client()?, BufReader::new(reader).lines());
    let (mut piece, mut replace, mut last) = (String::new(), args.replace, None);
    loop {
        let line = lines
            .next()
            .transpose()
            .map_err(|error| Failure::usage(format!("the list breaks off: {error}")))?;
        let is_end = line.is_none();
        if let Some(line) = line {
            piece.push_str(&line);
            piece.push('\n');
        }
        if piece.len() >= PIECE || (is_end && (replace || !piece.trim().is_empty())) {
            last = Some(send(&client, &piece, replace).await?);
            replace = false;
            piece.clear();
        }
        if is_end {
            break;
        }
    }
    let Some(answer) = last else { return Err(Failure::usage("there is no number in the list")) };
    context
        .out
        .done(&answer.json, &format!("{} numbers are on the Do-Not-Disturb list", answer.value.total))?;
    Ok(Exit::Done)
}

async fn send(client: &Client, numbers: &str, replace: bool) -> Result<Answer<DndImported>> {
    Ok(client.post("/admin/dnd", &json!({ "numbers": numbers, "replace": replace }), None).await?)
}
