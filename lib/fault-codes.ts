/** What can be wrong at one place of a request: the codes of `errors` that no problem has, each with what it means to a client. */
export const FAULT_CODES = {
  required: "It must be given, and is not.",
  invalid_type: "It is of another type: a number where a text belongs, or null where there must be a value.",
  invalid_format: "It is not written as it must be: a date, an id, an e-mail address.",
  invalid_value: "It cannot be this; `detail` says what it can be.",
  too_short: "A text has too few characters, or a list too few entries.",
  too_long: "A text has too many characters, or a list too many entries.",
  out_of_range: "A number is too small or too large.",
  unknown_field: "There is no such field. `detail` names the one that was probably meant.",
  repeated_name: "An object has the same name twice.",
  invalid_text: "A text has a character that no record can hold.",
  inexact_number: "A number has more digits than readers of JSON keep.",
  too_deep: "Objects and lists are nested too deep.",
  taken: "Another record has this value, and no two may.",
  use_action: "An action of its own sets this; `detail` names it.",
  converted: "The lead has been converted, and what it says is kept.",
  outdated: "It has been changed since it was read.",
  weak_password: "The password is too easy to guess.",
  not_selectable: "The object cannot be part of the migration.",
  not_mappable: "The field of the Salesforce org has one place only.",
  shared_target: "Two fields of the Salesforce org are to go to one place.",
  unknown_target: "There is no such place for the field.",
  no_fixed_values: "The field takes any value, so there is nothing to translate.",
  unknown_value: "The field has no such value.",
  unknown_source_value: "The field has no such value in the Salesforce org.",
} as const;

export type FaultCode = keyof typeof FAULT_CODES;
