import type { Send } from "@/tests/benchmarks/soak/actor";
import type { CarefulClient } from "@/tests/benchmarks/soak-kills/careful-client";
import type { Ledger, ShownRecord } from "@/tests/benchmarks/soak-kills/ledger";

/** Sends with care, and enters every acknowledged write into the ledger. */
export function recordedSend(client: CarefulClient, ledger: Ledger): Send {
  return async (kind, method, path, body) => {
    const [, resource = "", id = ""] = path.split("/");
    if (method === "DELETE") {
      await client.delete(path, ledger.versionOf(id));
      ledger.enterDeletion(id);
      return {};
    }
    const answer = await answerTo();
    if (kind === "batch") {
      const { results } = answer as { results: { record: ShownRecord }[] };
      for (const { record } of results) ledger.enter(resource, record);
    } else if (method !== "GET") ledger.enter(resource, answer as ShownRecord);
    else if (kind === "get") ledger.check(answer as ShownRecord);
    return answer;

    function answerTo(): Promise<Record<string, unknown>> {
      if (method === "GET") return client.get(path);
      if (method === "PUT") return client.put(path, body ?? {});
      if (method === "PATCH") return client.patch(path, ledger.versionOf(id), { ...body });
      return client.post(path, body);
    }
  };
}
