const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<style>
body{font-family:sans-serif;max-width:26rem;margin:4rem auto}
label{display:block;margin:.8rem 0}
button{margin-right:.5rem}
</style></head><body>${body}</body></html>`;
}

/** Login and consent on one page. Every password is accepted. Browser tests click "Allow" and "Deny". */
export function approvePage(parameters: URLSearchParams, username: string): string {
  const hidden = [...parameters]
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
    .join("");
  return page(
    "Allow Access? | Sandbox org",
    `<h1>Allow access?</h1>
<p>Customer Relationship Service asks to access your basic information and data, at any time.</p>
<form method="post" action="/services/oauth2/authorize">${hidden}
<label>Username <input name="username" autocomplete="username" value="${escape(username)}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" value="sandbox"></label>
<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>`,
  );
}

/** Shown when the redirect URI itself is wrong: the browser must not be redirected. */
export function errorPage(error: string, description: string): string {
  return page(
    "OAuth Error",
    `<h1>OAuth Error</h1><p>error=${escape(error)}&amp;error_description=${escape(description)}</p>`,
  );
}
