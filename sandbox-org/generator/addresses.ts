import { empty, field, type Field } from "../schema/field";
import { CITIES, STREETS } from "../words/people";
import { below, chance, pick, salt } from "./hash";
import type { Org } from "./population";

interface Address {
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
}

const BLANK: Address = { street: null, city: null, state: null, postalCode: null, country: null };

/** The last address is cached: the six address fields of a record are read one after another. */
let last: { readonly org: Org; readonly salt: number; readonly ordinal: number; readonly address: Address } | null =
  null;

function addressAt(org: Org, salt: number, ordinal: number, filledPerMille: number): Address {
  if (last?.ordinal !== ordinal || last.salt !== salt || last.org !== org)
    last = { org, salt, ordinal, address: makeAddress(org, salt, ordinal, filledPerMille) };
  return last.address;
}

/** An address, or a blank one for the rest of a thousand records. Streets may have several lines. */
function makeAddress(org: Org, salt: number, ordinal: number, filledPerMille: number): Address {
  if (!chance(filledPerMille, org.seed, salt, ordinal)) return BLANK;
  const [city, state, postalCode, country] = pick(CITIES, org.seed, salt ^ 1, ordinal);
  const number = 1 + below(220, org.seed, salt ^ 2, ordinal);
  const street = `${pick(STREETS, org.seed, salt ^ 3, ordinal)} ${number}`;
  const lines = number % 23 === 0 ? `${street}\r\nBuilding ${number}, 3rd floor\r\nc/o Reception` : street;
  return {
    street: number % 31 === 0 ? null : lines,
    city,
    state,
    postalCode,
    country: number % 19 === 0 ? null : country,
  };
}

/** Five parts that are filled, three geo parts that are empty, and the compound field, an object in REST. */
export function addressFields(object: string, prefix: string, filledPerMille: number): readonly Field[] {
  const own = salt(`${object}.${prefix}Address`);
  const compoundFieldName = `${prefix}Address`;
  const at = (org: Org, n: number): Address => addressAt(org, own, n, filledPerMille);
  const part = { compoundFieldName };
  return [
    field("textarea", `${prefix}Street`, (org, n) => at(org, n).street, part),
    field("string", `${prefix}City`, (org, n) => at(org, n).city, { ...part, length: 40 }),
    field("string", `${prefix}State`, (org, n) => at(org, n).state, {
      ...part,
      label: `${prefix} State/Province`.trim(),
      length: 80,
    }),
    field("string", `${prefix}PostalCode`, (org, n) => at(org, n).postalCode, {
      ...part,
      label: `${prefix} Zip/Postal Code`.trim(),
      length: 20,
    }),
    field("string", `${prefix}Country`, (org, n) => at(org, n).country, { ...part, length: 80 }),
    empty("double", `${prefix}Latitude`, { ...part, scale: 15 }),
    empty("double", `${prefix}Longitude`, { ...part, scale: 15 }),
    empty("picklist", `${prefix}GeocodeAccuracy`, {
      ...part,
      length: 40,
      restrictedPicklist: true,
      picklist: ["Address", "Street", "Zip", "City", "State", "Unknown"],
    }),
    field("address", compoundFieldName, (org, n) => {
      const { street, city, state, postalCode, country } = at(org, n);
      const blank = !(street ?? city ?? state ?? postalCode ?? country);
      return blank
        ? null
        : { city, country, geocodeAccuracy: null, latitude: null, longitude: null, postalCode, state, street };
    }),
  ];
}
