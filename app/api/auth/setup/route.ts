import { signInWithNextAuth } from "@/app/api/auth/sign-in-with-next-auth";
import { rememberForm } from "@/app/form-memory";
import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handleForm } from "@/lib/http/pages/forms";
import { seeOther } from "@/lib/http/pages/redirects";
import { clientAddress } from "@/lib/http/request";
import { createFirstOrganization, organizationExists } from "@/lib/sessions/people/organizations";
import { assertSetupCode } from "@/lib/sessions/people/setup-code";

const { refuse, options } = allowOnly("POST, OPTIONS");

/** The form field at which the sentence about an input is shown. */
const FIELDS: Record<string, string> = {
  "/setup_code": "setup_code",
  "/name": "organization",
  "/admin/name": "name",
  "/admin/email": "email",
  "/admin/password": "password",
};

/**
 * The first-run page's form: `setup_code`, `organization`, `name`, `email`, `password`. Once there is an organization,
 * it only redirects to the sign-in page.
 */
export function POST(request: Request): Promise<Response> {
  return handleForm(request, (form) => setUp(request, form));
}

async function setUp(request: Request, form: URLSearchParams): Promise<Response> {
  const field = (name: string) => form.get(name) ?? "";
  const admin = { name: field("name"), email: field("email"), password: field("password") };
  if (await organizationExists()) return seeOther("/sign-in");
  try {
    await assertSetupCode({ address: clientAddress(request.headers), code: field("setup_code") });
    await createFirstOrganization({ name: field("organization"), admin });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "illegal_state") return seeOther("/sign-in");
    const values = {
      setup_code: field("setup_code"),
      organization: field("organization"),
      name: admin.name,
      email: admin.email,
    };
    return seeOther("/setup?retry", [rememberForm("/setup", { values, faults: faultsByField(error) })]);
  }
  const answer = await signInWithNextAuth(request, admin);
  return "error" in answer ? seeOther("/sign-in") : seeOther("/", answer.setCookies);
}

function faultsByField(error: AppError): Record<string, string> {
  return Object.fromEntries(error.errors.map(({ pointer, detail }) => [FIELDS[pointer] ?? "form", detail]));
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
