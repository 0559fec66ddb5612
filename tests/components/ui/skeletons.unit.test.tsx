import { expect, test } from "vitest";

import { RowsSkeleton } from "@/components/ui/feedback/rows-skeleton";
import { FieldsSkeleton, FormSkeleton, TableSkeleton } from "@/components/ui/feedback/shaped-skeletons";
import { markupOf } from "@/tests/components/support/app-router";

test.each([RowsSkeleton, TableSkeleton, FieldsSkeleton, FormSkeleton])(
  "$name has its words beside what is busy, in a region that is there before them: screen readers tell them",
  (Placeholder) => {
    const markup = markupOf(<Placeholder label="Loading" />).replaceAll(/<style.*?<\/style>/gs, "");
    expect(markup).toMatch(/^<output[^>]*><\/output><div[^>]* aria-busy="true"/);
    expect(markup.match(/<output/g)).toHaveLength(1);
  },
);
