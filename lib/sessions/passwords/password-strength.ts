import { type DictionaryMatch, type MatchExtended, ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

import { AppError } from "@/lib/errors";
import { normalizePassword } from "@/lib/sessions/passwords/password";

/** The owner of a password, whose names must not make up most of it. */
interface Owner {
  email: string;
  name: string;
  organization: string;
}

/** Throws `invalid_request` at `pointer` if guessers would try this password (NIST SP 800-63B §3.1.1.2, §A.3). */
export function assertStrongPassword(password: string, { email, name, organization }: Owner, pointer: string): void {
  const detail = weaknessOf(normalizePassword(password), [email, name, organization]);
  if (detail)
    throw new AppError("invalid_request", "Choose another password.", {
      errors: [{ pointer, code: "weak_password", detail }],
    });
}

/** 10^10 guesses: more than a guesser will spend against argon2id and a throttled sign-in. */
const MIN_GUESSES_LOG10 = 10;

/** Later characters can only make a password stronger, and rating takes more than linear time. */
const MAX_RATED_CHARACTERS = 64;

/** Shorter words ("Ann", "Co") occur in many passwords by chance. */
const MIN_WORD_LENGTH = 4;

/** A shorter remainder protects nothing by itself. */
const MIN_REMAINDER_LENGTH = 8;

let estimator: ZxcvbnFactory | undefined;

/**
 * What makes a password easy to guess, as a sentence, or null. `personal`: e-mail, name and organization of its owner.
 */
function weaknessOf(password: string, personal: readonly string[]): string | null {
  const words = personalWords(personal);
  const remainder = words.reduce((left, word) => left.replaceAll(word, ""), password.toLowerCase());
  if (remainder.length < password.length && lettersAndDigits(remainder).length < MIN_REMAINDER_LENGTH) {
    return (
      "This password is made of your e-mail address, your name or the organization's name, which a guesser tries " +
      "first. Take other words."
    );
  }
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_RATED_CHARACTERS });
  const { guessesLog10, sequence } = estimator.check(password, words);
  if (guessesLog10 >= MIN_GUESSES_LOG10) return null;
  return (
    `This password is easy to guess: ${reason(sequence)}. Take four or more unrelated words, or let a password ` +
    "manager make one."
  );
}

/** The texts and their parts, longest first: "ada.lovelace@example.com" has ada, lovelace and example. */
function personalWords(personal: readonly string[]): string[] {
  const parts = personal
    .map((text) => text.normalize("NFKC").toLowerCase())
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...new Set(parts)].filter((word) => word.length >= MIN_WORD_LENGTH).toSorted((a, b) => b.length - a.length);
}

function lettersAndDigits(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const REASONS: Record<string, string> = {
  repeat: "it repeats itself",
  sequence: "it is a row of neighboring letters or digits",
  spatial: "it follows the keys of the keyboard",
  date: "it is mostly a date",
};

/** Names the longest part of the password that a guesser would try. */
function reason(sequence: readonly MatchExtended[]): string {
  const [longest] = sequence
    .filter(({ pattern }) => pattern !== "bruteforce")
    .toSorted((a, b) => b.token.length - a.token.length);
  if (!longest) return "it has too few different characters";
  if (longest.pattern !== "dictionary") return REASONS[longest.pattern] ?? "it follows a common pattern";
  const isPersonal = (longest as DictionaryMatch).dictionaryName.startsWith("userInputs");
  return isPersonal
    ? "much of it is your e-mail address or a name"
    : "much of it is among the most used passwords and words";
}
