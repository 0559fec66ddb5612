/** As long as any name of ours, and any that a custom field can have. */
const LONGEST = 255;

/** A name that a client sent, as a refusal repeats it: what is longer than any name has an ellipsis for its end. */
export function shortName(name: string): string {
  return name.length <= LONGEST ? name : `${name.slice(0, LONGEST).toWellFormed()}…`;
}
