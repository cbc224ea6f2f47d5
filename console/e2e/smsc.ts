// A carrier of our own that speaks SMPP, for what the sandbox's does not do when asked: to fall silent over a message, to refuse
// all for a reason of its own, and to hand on what a handset sent.
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

const BIND = [0x01, 0x02, 0x09];
const SUBMIT_SM = 0x04;
const DELIVER_SM = 0x05;
const RESPONSE = 0x80000000;

export class Smsc {
  /** Hangs up on each message instead of answering: whether it was sent is then unknown. */
  silent = false;
  /** The command status with which it refuses each message; 0 while it takes them. */
  refuses = 0;
  private readonly bound = new Set<Socket>();
  private sequence = 1;
  private accepted = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<Smsc> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const smsc = new Smsc(server, (server.address() as AddressInfo).port);
    server.on("connection", (socket) => smsc.serve(socket));
    return smsc;
  }

  stop(): void {
    for (const socket of this.bound) socket.destroy();
    this.server.close();
  }

  /** `[[carriers]]` of the configuration that binds here. */
  get config(): string {
    return `[[carriers]]\nname = "own"\nkind = "smpp"\nhost = "127.0.0.1"\nport = ${this.port}\nsystem_id = "e2e"\npassword = "secret"\nwindow = 1\n`;
  }

  /** A handset sends a text to one of our numbers. */
  fromHandset(from: string, to: string, text: string): void {
    const [socket] = this.bound;
    if (!socket) throw new Error("no daemon is bound");
    const address = (number: string) => Buffer.from(`\x01\x01${number}\0`, "latin1");
    const message = Buffer.from(text, "latin1");
    const body = Buffer.concat([
      Buffer.from([0]), // service_type
      address(from),
      address(to),
      // esm_class, protocol_id, priority_flag, two times, registered_delivery, replace, data_coding, default message, length
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, message.length]),
      message,
    ]);
    socket.write(pdu(DELIVER_SM, this.sequence++, body));
  }

  private serve(socket: Socket): void {
    let read: Buffer = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("close", () => this.bound.delete(socket));
    socket.on("data", (piece) => {
      read = Buffer.concat([read, piece]);
      while (read.length >= 16 && read.length >= read.readUInt32BE(0)) {
        const length = read.readUInt32BE(0);
        this.answer(socket, read.readUInt32BE(4), read.readUInt32BE(12));
        read = read.subarray(length);
      }
    });
  }

  private answer(socket: Socket, command: number, sequence: number): void {
    if (command >= RESPONSE) return;
    if (command === SUBMIT_SM && this.silent) {
      socket.destroy();
      return;
    }
    if (command === SUBMIT_SM && this.refuses) {
      socket.write(pdu((command | RESPONSE) >>> 0, sequence, Buffer.alloc(0), this.refuses));
      return;
    }
    const id = command === SUBMIT_SM ? `e2e${++this.accepted}\0` : BIND.includes(command) ? "own\0" : "";
    socket.write(pdu((command | RESPONSE) >>> 0, sequence, Buffer.from(id, "latin1")));
    if (BIND.includes(command)) this.bound.add(socket);
  }
}

function pdu(command: number, sequence: number, body: Buffer, status = 0): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(16 + body.length, 0);
  head.writeUInt32BE(command, 4);
  head.writeUInt32BE(status, 8);
  head.writeUInt32BE(sequence, 12);
  return Buffer.concat([head, body]);
}
