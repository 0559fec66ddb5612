import { z } from "zod";

// Ids may be written in either case (RFC 9562 §4) and have one form within. Whatever takes an id from outside takes it through these.
const given = () => z.string().toLowerCase();

/** An id in a query or a body, brought into lower case. What can be no id at all is refused with the sentence `fault`. */
export function idInput(fault: string, code = "invalid_format") {
  return given()
    .refine((value) => z.regexes.uuid7.test(value), { error: fault, params: { code } })
    .meta({ format: "uuid" });
}

/**
 * An id that stands in a path, brought into lower case. It is not refused here: a path that names nothing is 404, whether what stands there
 * could be an id or not, so that a client has one case to handle.
 */
export function pathId(label: string) {
  return given().meta({ format: "uuid", description: `The id of the ${label}.` });
}
