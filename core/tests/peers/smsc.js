// An SMSC by the npm package `smpp`: says what it understood of each submit_sm, one JSON object a line, and sends a
// receipt for it. Ids are hexadecimal in answers and decimal in receipts. Arguments: the password it wants.
'use strict';

const smpp = require('smpp');

const password = process.argv[2];
const say = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);
let messages = 0xABCDE0;

function bind(session, pdu) {
  if (pdu.password !== password) {
    session.send(pdu.response({ command_status: smpp.ESME_RINVPASWD }));
    return;
  }
  say({ bound: pdu.command, system_id: pdu.system_id, version: pdu.interface_version });
  session.send(pdu.response({ system_id: 'node-smpp' }));
}

function understood(pdu) {
  const body = pdu.short_message.message === undefined || pdu.short_message.message.length === 0
    ? pdu.message_payload : pdu.short_message;
  const text = body.message === undefined ? body : body.message;
  return {
    to: pdu.destination_addr,
    from: pdu.source_addr,
    source_ton: pdu.source_addr_ton,
    data_coding: pdu.data_coding,
    esm_class: pdu.esm_class,
    validity: pdu.validity_period === '' ? null : pdu.validity_period,
    registered_delivery: pdu.registered_delivery,
    udh: body.udh ? Buffer.concat(body.udh.map((part) => Buffer.from(part))).toString('hex') : null,
    sar: pdu.sar_msg_ref_num === undefined
      ? null : [pdu.sar_msg_ref_num, pdu.sar_total_segments, pdu.sar_segment_seqnum],
    text: Buffer.isBuffer(text) ? text.toString('hex') : text,
  };
}

function submit(session, pdu) {
  messages += 1;
  const id = messages;
  say({ submit: understood(pdu) });
  session.send(pdu.response({ message_id: id.toString(16).toUpperCase() }));
  const text = `id:${id} sub:001 dlvrd:001 submit date:2611210930 done date:2611210931 stat:DELIVRD err:000 text:`;
  session.deliver_sm({
    esm_class: 4,
    source_addr: pdu.destination_addr,
    destination_addr: pdu.source_addr,
    short_message: { message: text },
  }, (resp) => say({ acknowledged: id, status: resp.command_status }));
}

const server = smpp.createServer((session) => {
  for (const command of ['bind_transceiver', 'bind_transmitter', 'bind_receiver']) {
    session.on(command, (pdu) => bind(session, pdu));
  }
  session.on('submit_sm', (pdu) => submit(session, pdu));
  session.on('enquire_link', (pdu) => session.send(pdu.response()));
  session.on('unbind', (pdu) => {
    say({ unbound: true });
    session.send(pdu.response());
    session.close();
  });
  session.on('error', (error) => say({ error: String(error) }));
});
server.listen(0, '127.0.0.1', () => say({ listening: server.address().port }));
