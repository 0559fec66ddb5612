import { allowOnly, unknownResource } from "@/lib/http/api/fallback-routes";
import { handle } from "@/lib/http/api/handle";
import { readJsonWith } from "@/lib/http/api/json-body";
import type { Method } from "@/lib/http/openapi/route";
import type { Operation } from "@/lib/operation";
import { isResource, perResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

interface Answer {
  /** Its input has a field for each variable segment of the path. */
  operation: Pick<Operation, "name" | "summary" | "scopes">;
  /** Reads those fields from the request, where Next's parameters are not what was written. */
  path?: (request: Request) => Record<string, string>;
  /** Whether the other fields of its input are read from a JSON body. */
  body?: true;
}

/** Next gives no parameters to a path that has none. */
interface Target {
  params: Promise<Record<string, string>> | undefined;
}

type Handler = (request: Request, target?: Target) => Response | Promise<Response>;

type Answers = Partial<Record<Method, Answer>>;

type Handlers = Record<Method | "OPTIONS", Handler>;

/** The handlers of a route file: those of `answers`, OPTIONS, and a refusal for each other method. */
export function methods(answers: Answers) {
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

/**
 * The handlers of a route file below `[resource]`, whose segment is not part of the input. A name in its place that is
 * no resource is 404, whatever the method.
 */
export function methodsOfResource(answersOf: (resource: ResourceName) => Answers): Handlers {
  const methodsOf = perResource<Handlers>(({ resource }) => methods(answersOf(resource)));
  const handlerOf =
    (method: Method | "OPTIONS"): Handler =>
    async (request, target) => {
      const { resource = "", ...path } = (await target?.params) ?? {};
      if (!isResource(resource)) return unknownResource(request, resource);
      return methodsOf(resource)[method](request, { params: Promise.resolve(path) });
    };
  return {
    GET: handlerOf("GET"),
    POST: handlerOf("POST"),
    PUT: handlerOf("PUT"),
    PATCH: handlerOf("PATCH"),
    DELETE: handlerOf("DELETE"),
    OPTIONS: handlerOf("OPTIONS"),
  };
}

/** Next answers HEAD by the handler of GET. */
function withHead(method: string): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function answerBy({ operation, body, path: pathOf }: Answer): Handler {
  return (request, target) =>
    handle(
      request,
      // Operations of all input and output types are run alike.
      operation as Operation,
      async () => {
        const path = pathOf ? pathOf(request) : ((await target?.params) ?? {});
        return body ? readJsonWith(request, path) : path;
      },
    );
}
