/** Says once per run that no Inngest server was tested, and why. */
export default function sayWhatIsLeftOut(): void {
  if (process.env.INNGEST_BASE_URL) return;
  console.warn(
    "\nLEFT OUT: the suites that both job engines have to pass run on the embedded engine alone, because " +
      "INNGEST_BASE_URL is not set. How to run them on an Inngest server: tests/inngest/README.md.\n",
  );
}
