import type { ReactNode } from "react";

import { FormShell, type FormShellProps } from "@/components/ui/form/form-shell";
import { PageActions } from "@/components/ui/form/page-actions";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";

interface CreateShellProps {
  /** What `useApiForm` returned. */
  create: {
    form: { isDirty: () => boolean };
    mutation: { isPending: boolean; isSuccess: boolean };
    shell: Pick<FormShellProps, "id" | "onSubmit" | "refusal" | "isLocked">;
  };
  /** On the button that creates the item. */
  action: string;
  /** The page to which who creates none goes back. */
  back: string;
  children: ReactNode;
}

/** A form that creates an item on a page of its own: its fields, a button that creates it and one that leads back. */
export function CreateShell({ create: { form, mutation, shell }, action, back, children }: CreateShellProps) {
  const actions = (
    <PageActions mutation={mutation} back={back}>
      {action}
    </PageActions>
  );
  return (
    <FormShell {...shell} actions={actions}>
      <LeaveGuard isUnsaved={form.isDirty() && !mutation.isSuccess} what="The values you have entered" />
      {children}
    </FormShell>
  );
}
