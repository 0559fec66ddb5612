import { Client } from "pg";

/** Sends a request whose COMMIT succeeds, and whose process never learns it: as when it is killed just then. */
export async function losingCommits<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const { query } = Client.prototype;
  Client.prototype.query = function losing(this: Client, sent: { text: string; callback: (error: Error) => void }) {
    const { callback } = sent;
    if (sent.text === "COMMIT") sent.callback = () => callback(new Error("Connection terminated unexpectedly"));
    return Reflect.apply(query, this, [sent]) as unknown;
  } as unknown as typeof query;
  return send().finally(() => (Client.prototype.query = query));
}
