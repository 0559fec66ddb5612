"use client";

import { Button, Loader, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useRef, useState } from "react";

import { NewPasswordInput } from "@/components/account/new-password-input";
import { faultsByField, isPassing, Problem } from "@/components/api/problem";
import { sendCredentials } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LinkButton } from "@/components/ui/text/links";

interface Person {
  email: string;
  name: string;
  organization: string;
}

const PATH = "/password-link";

/** Shown for a link without its token, for which there is nothing to ask the server. */
const NO_TOKEN = new Problem({
  title: "Incomplete link",
  detail:
    "The part of the link after # is missing. Open the whole link that you were given, also to load this page again, " +
    "or ask whoever gave it to you for a new one.",
  code: "no_token",
});

/**
 * Sets a password by a one-time link. The token after the address's `#` is removed from the address at once, so that it
 * stays neither on the screen nor in the browser's history.
 */
export function SetPasswordForm() {
  const [token, setToken] = useState<string>();
  const check = useMutation({
    mutationFn: (fromLink: string) => sendCredentials<Person>("POST", PATH, { token: fromLink }),
  });
  const set = useMutation({
    mutationFn: (password: string) => sendCredentials<Person>("PUT", PATH, { token, password }),
  });
  const hasChecked = useRef(false);
  const { mutate: checkToken } = check;
  useEffect(() => {
    if (hasChecked.current) return;
    hasChecked.current = true;
    const fromLink = window.location.hash.slice(1);
    window.history.replaceState(window.history.state, "", window.location.pathname);
    setToken(fromLink);
    if (fromLink) checkToken(fromLink);
  }, [checkToken]);
  // The token is nowhere else any more: without another try the link would be lost.
  const canRetry = isPassing(check.error);
  const checkAgain = () => token && checkToken(token);
  if (set.isSuccess) return <Done person={set.data} />;
  return (
    <Stack>
      <Title order={1}>Set your password</Title>
      <noscript>
        Turn JavaScript on, then load this page again. The page reads the link in your browser, so that nobody else
        learns it.
      </noscript>
      {check.isError && <ProblemAlert error={check.error} takesFocus {...(canRetry && { onRetry: checkAgain })} />}
      {check.isSuccess && <Form person={check.data} error={set.error} isBusy={set.isPending} onSend={set.mutate} />}
      {token === "" && <ProblemAlert error={NO_TOKEN} takesFocus />}
      {token !== "" && !check.isError && !check.isSuccess && <Loader aria-label="Checking your link" />}
    </Stack>
  );
}

interface FormProps {
  person: Person;
  error: unknown;
  isBusy: boolean;
  onSend: (password: string) => void;
}

function Form({ person: { email, name, organization }, error, isBusy, onSend }: FormProps) {
  const field = useRef<HTMLInputElement>(null);
  const fault = faultsByField(error, ["password"])?.password;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Screen readers then read the fault with the field.
    field.current?.focus();
    onSend(field.current?.value ?? "");
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text style={{ overflowWrap: "anywhere" }}>
          <bdi>{name}</bdi>, you are a member of <bdi>{organization}</bdi>. Choose the password that you sign in with.
        </Text>
        {Boolean(error) && !fault && <ProblemAlert error={error} takesFocus />}
        <TextInput label="E-mail address" type="email" autoComplete="username" value={email} readOnly />
        <NewPasswordInput ref={field} label="New password" name="password" error={fault} />
        <Text size="sm" c="dimmed">
          If you have signed in before, setting it signs you out everywhere, and apps that you have allowed ask you
          again.
        </Text>
        <Button type="submit" fullWidth loading={isBusy}>
          Set the password
        </Button>
      </Stack>
    </form>
  );
}

function Done({ person: { email } }: { person: Person }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Stack>
      <Title order={1} ref={title} tabIndex={-1}>
        Your password is set
      </Title>
      <Text style={{ overflowWrap: "anywhere" }}>Sign in with it as {email}. The link does not work any more.</Text>
      <LinkButton href="/sign-in">Sign in</LinkButton>
    </Stack>
  );
}
