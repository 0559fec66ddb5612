import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A way to another server that can be cut, as when that server is gone, and opened again. */
export interface Relay {
  /** On this machine. */
  port: number;
  cut: () => Promise<void>;
  heal: () => Promise<void>;
}

/** Passes bytes on to a host and port, from a free port of this machine. */
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
