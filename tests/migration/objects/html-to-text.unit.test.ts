import { expect, test } from "vitest";

import { htmlToText } from "@/lib/migration/objects/html-to-text";

test("blocks become lines, inline markup disappears, entities are decoded", () => {
  const html =
    "<html><head><title>x</title><style>p{a>b}</style></head><body><p>Dear&nbsp;Ms. <b>Gr&uuml;n</b> &amp; " +
    "Co,</p><p>two<br>lines</p></body></html>";
  expect(htmlToText(html)).toBe("Dear Ms. Grün & Co,\n\ntwo\nlines");
});

test("lists keep their items apart, and table cells their words", () => {
  expect(htmlToText("<ul><li>one</li><li>two</li></ul>")).toBe("- one\n- two");
  expect(htmlToText("<table><tr><td>a</td><td>b</td></tr></table>")).toBe("a b");
});

test("comments, scripts and unclosed elements are left out", () => {
  expect(htmlToText("a<!-- <p>no</p> -->b<script>if (a<b) {}</script>c<style>d")).toBe("abc");
});

test("a head ends with its body where nothing closes it, and without a body it hides nothing", () => {
  expect(htmlToText("<html><head><meta charset=utf-8><body>Hello")).toBe("Hello");
  expect(htmlToText("<html><head>no<BODY>Hello<head> you</body></html>")).toBe("Hello you");
  expect(htmlToText("<html><head><title>x</title>Hello")).toBe("Hello");
  expect(htmlToText("<html><head><title>x</title><header>Dear Ada</header><p>Hello")).toBe("Dear Ada\n\nHello");
});

test("tags are found behind letters that are longer in lower case", () => {
  expect(htmlToText("<p>İİİİ</p><P>two</P><STYLE>p{}</STYLE>İ<script>a</script>three")).toBe("İİİİ\n\ntwo\nİthree");
});

test("a lone < is text", () => {
  expect(htmlToText("3 < 4 &lt; 5 &#8364; &#x1F98A; &bogus; &#0;")).toBe("3 < 4 < 5 € 🦊 &bogus; \u{fffd}");
});

test("names of Latin-1 characters are decoded in either case, and numbers as Windows-1252", () => {
  expect(htmlToText("&Oslash;&oslash; &frac12; &sup2; &Eacute;&thorn;&yuml; &bdquo;a&ldquo; &#146;&#x80;")).toBe(
    "Øø ½ ² Éþÿ „a“ ’€",
  );
});

test("a hostile body of a megabyte takes less than a second of work", () => {
  for (const piece of ["<", "<p ", "&nbsp;", "<!--", "<style>", " \n", "<style></", "<head>", "<head><body>"]) {
    const started = process.threadCpuUsage();
    htmlToText(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    // The CPU time of this thread only: the clock also counts other work of the machine.
    const { user, system } = process.threadCpuUsage(started);
    expect(user + system).toBeLessThan(1_000_000);
  }
});
