import * as fc from "fast-check";

/** A redirect URI that is registered, and from which those below are made. */
const REGISTERED = "https://client.example/callback";

/** Addresses that look like a registered one, or are taken for it by some parser (RFC 9700 §4.1). */
const LOOKALIKES = [
  [
    "https://evil.example/callback",
    "https://client.example.evil.example/callback",
    "https://evilclient.example/callback",
  ],
  [
    "https://client.example@evil.example/callback",
    "https://client.example:pw@evil.example/callback",
    "https://evil.example#@client.example/callback",
  ],
  [
    "https://evil.example\\@client.example/callback",
    "https://client.example\\.evil.example/callback",
    "https:\\\\client.example\\callback",
  ],
  [
    "https:/client.example/callback",
    "https:client.example/callback",
    "//client.example/callback",
    "//evil.example",
    "/\\evil.example",
    "/callback",
  ],
  [
    "https://client.example/callback/../../evil",
    "https://client.example/callback/",
    "https://client.example/callback?",
    "https://client.example/callback#",
  ],
  [
    "https://client.example/callback%2f..",
    "https://client.example/callback%00.evil.example",
    "https://client.example/callback?kept=2",
  ],
  [
    "https://client.example:443/callback",
    "https://client.example:8444/callback",
    "http://client.example/callback",
    "HTTPS://client.example/callback",
  ],
  [
    "https://CLIENT.example/callback",
    "https://client.example./callback",
    "https://client。example/callback",
    "https://clıent.example/callback",
  ],
  [
    "https://cl\tient.example/callback",
    "https://client.example/call\nback",
    " https://client.example/callback",
    "https://client.example/callback ",
  ],
  [
    "\u0000https://client.example/callback",
    "https://client.example/callback\r\nset-cookie: a=b",
    "javascript:alert(1)//https://client.example/callback",
  ],
  [
    "data:text/html,<svg onload=alert(1)>",
    "file:///etc/passwd",
    "urn:ietf:wg:oauth:2.0:oob",
    "com.example.app:/callback",
    "blob:https://client.example/x",
  ],
  [
    "http://127.0.0.1/cb",
    "http://127.0.0.1:8081/cb",
    "http://127.1:8080/cb",
    "http://[::1]:8080/cb",
    "http://2130706433:8080/cb",
    "http://localhost:80/cb",
  ],
  [
    "http://localhost.evil.example/cb",
    "https://xn--bcher-kva.example/r?a=b&c= d",
    "https://bücher.example/r?a=b&c=%20d",
    "https://client.example/revoked",
  ],
  [
    "https://client.example/callback?kept=1&kept=2",
    "https://client.example/callback?kept=1#",
    "https://*.example/callback",
    "https://client.example/*",
  ],
].flat();

const insertedCharacter = fc
  .tuple(
    fc.nat(REGISTERED.length),
    fc.constantFrom("\t", "\n", "\r", "\\", "/", "@", "#", "?", ".", "%", "\u200b", "\u2028", "。", "⁄", "𝕒", " "),
  )
  .map(([position, character]) => REGISTERED.slice(0, position) + character + REGISTERED.slice(position));

/** A redirect URI that is registered for nobody, made to be confused with one that is. */
export const foreignUri: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...LOOKALIKES) },
  { weight: 2, arbitrary: insertedCharacter },
  { weight: 1, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
  { weight: 1, arbitrary: fc.webUrl().map((url) => REGISTERED + url) },
);
