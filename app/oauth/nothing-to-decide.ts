/** Why there may be nothing to allow or to deny; shown instead of the consent page, and in answer to its form. */
export const NOTHING_TO_DECIDE = {
  title: "There is nothing left to decide here",
  text:
    "The app's request has expired, or was answered before, or was made in another sign-in. Go back to the app and " +
    "connect it again.",
};
