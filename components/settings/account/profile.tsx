import { TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";

import { faultsByField } from "@/components/api/problem";
import { sendJson } from "@/components/api/request";
import { Announcement } from "@/components/ui/feedback/announcement";
import { FormShell } from "@/components/ui/form/form-shell";
import { replaceSent } from "@/components/ui/form/replace-sent";
import { SubmitButton } from "@/components/ui/form/submit-button";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Section } from "@/components/ui/layout/section";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";

interface ProfileProps {
  name: string;
  email: string;
  isAdmin: boolean;
}

/** Who the reader is here. They can change their name. */
export function Profile({ name, email, isAdmin }: ProfileProps) {
  const router = useRouter();
  const [known, setKnown] = useState(name);
  const { form, mutation, shell } = useApiForm({
    initialValues: { name },
    stays: true,
    faultsOf: (error) => faultsByField(error, ["name"]),
    send: (values) => sendJson<{ name: string }>("PATCH", "/settings/account", values),
    onSent: ({ name: saved }, sent, sender) => {
      setKnown(saved);
      replaceSent(sender, sent, { name: saved });
      // The frame of all pages shows the name.
      router.refresh();
    },
  });
  const isChanged = form.values.name.trim() !== known;
  const save = (
    <SubmitButton isPending={mutation.isPending} isUnchanged={!isChanged}>
      Save changes
    </SubmitButton>
  );
  return (
    <Section title="Profile" lead="Colleagues see your name beside your records and comments.">
      <FormShell {...shell} isNarrow actions={save}>
        <TextInput label="Name" required autoComplete="name" {...form.getInputProps("name")} />
        <Facts>
          <Fact label="E-mail address, with which you sign in">{email}</Fact>
          <Fact label="Role">
            {isAdmin
              ? "Admin: works with all records and manages the settings."
              : "Member: works with all records and migrations. Admins manage the settings."}
          </Fact>
        </Facts>
        <LeaveGuard isUnsaved={isChanged} what="Your changes" />
        <Announcement>{mutation.isSuccess && !isChanged && "Saved."}</Announcement>
      </FormShell>
    </Section>
  );
}
