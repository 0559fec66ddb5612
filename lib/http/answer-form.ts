import { AppError } from "@/lib/errors";
import { foreignForm } from "@/lib/http/foreign-form";
import { htmlPage } from "@/lib/http/html-page";
import { readForm } from "@/lib/http/read-form";
import { isSameOrigin } from "@/lib/http/same-origin";

/** Answers a form that one of our own pages sent; any other is refused before anything of it is looked at. */
export async function answerForm(request: Request, answer: (form: URLSearchParams) => Promise<Response>): Promise<Response> {
  if (!isSameOrigin(request)) return foreignForm();
  try {
    return await answer(new URLSearchParams(await readForm(request)));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "payload_too_large") throw error;
    return htmlPage({ status: 413, title: "This form is too long", paragraphs: [error.message] });
  }
}
