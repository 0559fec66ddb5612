import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import type { Method } from "@/lib/http/openapi/route";
import type { Operation } from "@/lib/operation";

interface Answer {
  /** Its input has a field for each variable segment of the path. */
  operation: Pick<Operation, "name" | "summary" | "scopes">;
  /** Whether the other fields of its input are read from a JSON body. */
  body?: true;
  /** The status of a success, unless an upsert creates. */
  status?: number;
}

/** Next gives no parameters to a path that has none. */
interface Target {
  params: Promise<Record<string, string>> | undefined;
}

type Handler = (request: Request, target?: Target) => Response | Promise<Response>;

/** The handlers of a route file: those of `answers`, OPTIONS, and a refusal for each other method. */
export function methods(answers: Partial<Record<Method, Answer>>) {
  const { options, refuse } = allowOnly([...Object.keys(answers).flatMap(withHead), "OPTIONS"].join(", "));
  const handlerOf = (answer: Answer | undefined): Handler => (answer ? answerBy(answer) : refuse);
  return {
    GET: handlerOf(answers.GET),
    POST: handlerOf(answers.POST),
    PUT: handlerOf(answers.PUT),
    PATCH: handlerOf(answers.PATCH),
    DELETE: handlerOf(answers.DELETE),
    OPTIONS: options,
  };
}

/** Next answers HEAD by the handler of GET. */
function withHead(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function answerBy({ operation, body, status }: Answer): Handler {
  return (request, target) =>
    handle(
      request,
      // Operations of all input and output types are run alike.
      operation as Operation,
      async () => {
        const path = (await target?.params) ?? {};
        return body ? readJsonWith(request, path) : path;
      },
      status,
    );
}
