import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A relay to another server, which can be cut, as if that server were down, and restored. */
export interface Relay {
  /** Its port on this machine. */
  port: number;
  cut: () => Promise<void>;
  heal: () => Promise<void>;
}

/** Forwards bytes between a free port of this machine and a host and port. */
export async function startRelay(host: string, to: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let server: Server = await listen(0);

  async function listen(port: number): Promise<Server> {
    const listening = createServer((near) => {
      const far = connect(to, host);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.on("error", () => undefined);
        one.on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    listening.listen(port, "127.0.0.1");
    await once(listening, "listening");
    return listening;
  }

  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
    heal: async () => {
      server = await listen(port);
    },
  };
}
