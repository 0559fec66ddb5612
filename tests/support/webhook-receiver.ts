import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";

import { listen } from "@/tests/support/hosts";

/** A request as the endpoint received it. */
export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The endpoint's answer to the request of that number, from 0; it may have none. */
export type Behaviour = (response: ServerResponse, number: number, received: Received) => void;

/** 204, as for most endpoints. */
export const accepts: Behaviour = (response) => void response.writeHead(204).end();

/** An endpoint for webhooks on this machine, which records its requests and sends the given answers. */
export class WebhookReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  behaviour: Behaviour;
  #origin = "";
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        id: String(request.headers["webhook-id"]),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      this.behaviour(response, this.received.push(received) - 1, received);
    });
  });

  private constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
  }

  static async start(behaviour = accepts): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(behaviour);
    receiver.#origin = await listen(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `${this.#origin}/hooks`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => void this.#server.close(done));
  }
}
