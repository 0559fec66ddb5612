import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readForm } from "@/lib/http/body-bytes";
import { htmlPage } from "@/lib/http/pages/html-page";
import { orUnavailablePage } from "@/lib/http/pages/unavailable-page";
import { isSameOrigin } from "@/lib/http/request";

/** Answers a form that one of our own pages has sent. Refuses any other before reading it. */
export async function handleForm(
  request: Request,
  answer: (form: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  if (!isSameOrigin(request)) return crossOriginForm();
  let form: URLSearchParams;
  try {
    form = new URLSearchParams(await readForm(request));
  } catch (error) {
    return unreadForm(error);
  }
  return orUnavailablePage(() => answer(form));
}

/** The response to a form that was not read. */
function unreadForm(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  if (error.code === "payload_too_large")
    return htmlPage({ status: 413, title: "This form is too long", paragraphs: [error.message] });
  if (error.code === "invalid_body")
    return htmlPage({
      status: 400,
      title: "This form did not arrive whole",
      paragraphs: ["Go back, and send it again."],
    });
  if (error.code !== "too_many_requests") throw error;
  const paragraphs = ["Too many forms are arriving at once. Go back, and send yours again."];
  const page = htmlPage({ status: 429, title: "This form did not arrive in time", paragraphs });
  page.headers.set("retry-after", String(error.retryAfter ?? 1));
  return page;
}

/**
 * The response to a form that was not sent from our own pages: cross-site request forgery, or the service opened by
 * another address.
 */
export function crossOriginForm(): Response {
  return htmlPage({
    status: 403,
    title: "This form was sent from another address",
    paragraphs: [`This service accepts forms only from ${env.APP_URL}. Nothing was changed.`],
    link: { href: env.APP_URL, text: "Open the service at its own address" },
  });
}
