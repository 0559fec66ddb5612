import { useMutation } from "@tanstack/react-query";
import { createContext, useEffect } from "react";

import { sendJson } from "@/components/api/request";

/** Whether whoever runs this service has registered it at Salesforce. Known within the pages of a migration. */
export const CanSignInContext = createContext(false);

/** Leaves for a sign-in at Salesforce, which sends the browser back to the connect step. */
export function useSignIn(onLeave?: () => void) {
  const authorize = useMutation({
    mutationFn: (login_url: string) =>
      sendJson<{ authorize_url: string }>("POST", "/migration/connections/authorize", { login_url }),
    onSuccess: ({ authorize_url }) => {
      onLeave?.();
      window.location.assign(authorize_url);
    },
  });
  useResetWhenBack(authorize.reset);
  return { ...authorize, isBusy: authorize.isPending || authorize.isSuccess };
}

/** The Back button of a browser may restore the page as it was left, with its button still busy. */
function useResetWhenBack(reset: () => void): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);
}
