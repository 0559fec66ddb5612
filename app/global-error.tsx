"use client";

const STYLE = `
  :root { color-scheme: light dark; }
  body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; background: light-dark(#faf9f7, #151b19);
    color: light-dark(#1f2422, #dfe4e2); }
  main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em; }
  button { font: inherit; font-weight: 600; padding: .5rem 1.125rem; border: 0; border-radius: .5rem;
    background: light-dark(#176a57, #80c7b4); color: light-dark(#fff, #101513); cursor: pointer; }
`;

/** Shown when the frame of every page has failed, and with it the theme: it needs nothing but itself. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <head>
        <title>This page failed to load</title>
        <style>{STYLE}</style>
      </head>
      <body>
        <main>
          <h1>This page failed to load</h1>
          <p>What you have saved is safe. Try again; if it keeps failing, tell whoever runs this service.</p>
          {error.digest && <p>Reference {error.digest}, which finds the cause and the request in the log.</p>}
          <button type="button" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
