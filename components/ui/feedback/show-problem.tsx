import { notifications } from "@mantine/notifications";

import { asProblem } from "@/components/api/problem";
import { RequestId } from "@/components/ui/feedback/request-id";

/** Shows the refusal of something that is no longer on screen, until the reader closes it. `words` replace its own. */
export function showProblem(error: unknown, words: { title?: string; message?: string } = {}): void {
  const { title, message, requestId } = asProblem(error);
  notifications.show({
    color: "rust",
    title: words.title ?? title,
    message: (
      <>
        {words.message ?? message}
        <RequestId id={requestId} />
      </>
    ),
    autoClose: false,
  });
}
