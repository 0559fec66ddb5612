import { once } from "node:events";
import { Agent, createServer, get, type ServerResponse } from "node:http";
import { connect } from "node:net";

import { expect, test } from "vitest";

import { answerThenClose } from "@/scripts/service/web/answer-then-close";
import { listen } from "@/tests/support/hosts";

test("a server that ends answers what has arrived, and no kept connection holds it up", async () => {
  const unanswered: ServerResponse[] = [];
  const server = createServer((_, response) => void unanswered.push(response));
  const end = answerThenClose(server);
  const origin = await listen(server);
  const agent = new Agent({ keepAlive: true });
  const answers: string[] = [];
  const errors: string[] = [];
  // As a balancer: the next request as soon as the one before is answered, on the same connection.
  const send = (): void =>
    void get(origin, { agent }, (answer) => {
      answer.resume().once("end", () => {
        answers.push(String(answer.headers.connection));
        send();
      });
    }).once("error", (error: NodeJS.ErrnoException) => errors.push(String(error.code)));
  send();
  send();
  await expect.poll(() => unanswered.length).toBe(2);
  unanswered.shift()?.end("before the end");
  await expect.poll(() => unanswered.length).toBe(2);
  // One has sent its head with the promise that the connection stays, the other has not.
  unanswered[0]?.write("a part");
  const ended = end();
  for (const response of unanswered.splice(0)) response.end("at the end");
  await ended;
  await expect.poll(() => answers.length + errors.length).toBe(5);
  expect(answers.toSorted()).toEqual(["close", "keep-alive", "keep-alive"]);
  // The next requests were not taken: a balancer may send them to another process.
  expect(unanswered).toEqual([]);
  expect(errors.filter((code) => !/^ECONN(?:REFUSED|RESET)$/.test(code))).toEqual([]);
});

test("a connection on which nothing was ever sent does not hold up the end of a server", async () => {
  const server = createServer((_, response) => void response.end("answered"));
  const end = answerThenClose(server);
  const { port } = new URL(await listen(server));
  const silent = connect(Number(port), "127.0.0.1");
  const closed = once(silent, "close");
  await once(silent, "connect");
  const asking = connect(Number(port), "127.0.0.1");
  await once(asking, "connect");
  const answer = once(asking, "data");
  const ended = end();
  // It was opened before the end, and its request may be under way.
  asking.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
  await Promise.all([ended, closed]);
});
