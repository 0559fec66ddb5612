import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

import ipaddr from "ipaddr.js";

import { useNameServers } from "@/lib/outbound/resolve-host";

const TYPES = { 1: "A", 28: "AAAA" } as const;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/**
 * The answers for a name: a list of addresses for each lookup in turn, the last one for all that follow; or no answer
 * at all, or none to AAAA queries.
 */
export type Answers = readonly (readonly string[])[] | "silence" | { silentOnAaaa: readonly string[] };

interface Question {
  id: number;
  name: string;
  type: number;
  /** The end of the question in its message. */
  end: number;
}

/** A name server on this machine (RFC 1035), which this process uses while it runs. It knows only the given names. */
export class NameServer implements AsyncDisposable {
  /** Every question, "A hooks.example", once however often it is repeated. */
  readonly asked: string[] = [];
  readonly #seen = new Set<string>();
  readonly #socket = createSocket("udp4");
  readonly #names: Record<string, Answers>;

  private constructor(names: Record<string, Answers>) {
    this.#names = names;
    this.#socket.on("message", (message, from) => this.#answer(message, from));
  }

  static async start(names: Record<string, Answers>): Promise<NameServer> {
    const server = new NameServer(names);
    server.#socket.bind(0, "127.0.0.1");
    await once(server.#socket, "listening");
    useNameServers([server.address]);
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    useNameServers(undefined);
    await new Promise<void>((done) => void this.#socket.close(() => done()));
  }

  #answer(message: Buffer, from: RemoteInfo): void {
    const question = questionOf(message);
    const asked = `${TYPES[question.type as keyof typeof TYPES]} ${question.name}`;
    const key = `${question.id} ${asked}`;
    if (!this.#seen.has(key)) this.asked.push(asked);
    this.#seen.add(key);
    const answers = this.#names[question.name];
    const isSilent =
      answers === "silence" || (answers && "silentOnAaaa" in answers && TYPES[28] === asked.split(" ")[0]);
    if (isSilent) return;
    const round = this.asked.filter((each) => each === asked).length - 1;
    this.#socket.send(replyTo(message, question, addressesIn(answers, round)), from.port, from.address);
  }
}

function addressesIn(answers: Exclude<Answers, "silence"> | undefined, round: number): readonly string[] | undefined {
  if (answers && "silentOnAaaa" in answers) return answers.silentOnAaaa;
  return answers?.[Math.min(round, answers.length - 1)];
}

function questionOf(message: Buffer): Question {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    id: message.readUInt16BE(0),
    name: labels.join(".").toLowerCase(),
    type: message.readUInt16BE(at + 1),
    end: at + 5,
  };
}

/** Without addresses the name does not exist. */
function replyTo(message: Buffer, { type, end }: Question, addresses: readonly string[] | undefined): Buffer {
  const bytes = (addresses ?? []).map((address) => Buffer.from(ipaddr.parse(address).toByteArray()));
  const records = bytes.filter((each) => each.length === (type === 1 ? 4 : 16)).map((each) => recordOf(type, each));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(message.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | (addresses ? 0 : NO_SUCH_NAME), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]);
}

/** An answer for the requested name, with a TTL of 0. */
function recordOf(type: number, address: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(address.length, 10);
  return Buffer.concat([head, address]);
}
