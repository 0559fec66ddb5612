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
  try {
    const form = new URLSearchParams(await readForm(request));
    return await orUnavailablePage(() => answer(form));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "payload_too_large") throw error;
    return htmlPage({ status: 413, title: "This form is too long", paragraphs: [error.message] });
  }
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
