import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { readForm } from "@/lib/http/body-bytes";
import { htmlPage } from "@/lib/http/pages/html-page";
import { orUnavailablePage } from "@/lib/http/pages/unavailable-page";
import { isSameOrigin } from "@/lib/http/request";

/** What {@link readForm} refuses. */
const REFUSALS: Partial<Record<string, { status: number; title: string }>> = {
  payload_too_large: { status: 413, title: "This form is too long" },
  too_many_requests: { status: 429, title: "This form did not arrive in time" },
};

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
    const refusal = error instanceof AppError ? REFUSALS[error.code] : undefined;
    if (!refusal) throw error;
    return htmlPage({ ...refusal, paragraphs: [(error as AppError).message] });
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
