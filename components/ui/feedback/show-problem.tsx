import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

import { asProblem } from "@/components/api/problem";
import { RequestId } from "@/components/ui/feedback/request-id";
import { SignInAgain } from "@/components/ui/feedback/sign-in-again";

interface ProblemWords {
  title?: string;
  message?: string;
  /** More on how to mend it, below the words. */
  more?: ReactNode;
}

/** Shows the refusal of something that is no longer on screen, until the reader closes it. `words` replace its own. */
export function showProblem(error: unknown, words: ProblemWords = {}): void {
  const { title, message, status, requestId } = asProblem(error);
  notifications.show({
    color: "rust",
    title: words.title ?? title,
    message: (
      <>
        {words.message ?? message}
        {words.more && <div>{words.more}</div>}
        <RequestId id={requestId} />
        {status === 401 && <SignInAgain />}
      </>
    ),
    autoClose: false,
  });
}
