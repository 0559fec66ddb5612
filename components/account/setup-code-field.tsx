"use client";

import { TextInput } from "@mantine/core";
import { useEffect, useRef } from "react";

interface SetupCodeFieldProps {
  value: string;
  /** Why the code that was sent is refused. */
  error: string | undefined;
}

/**
 * The setup code proves that whoever creates the organization can read the console of the service. The link printed
 * there has the code after `#`, which browsers do not send. It is moved from the address into the field, also if the
 * link is opened where this page is shown already. Without scripts the code is typed.
 */
export function SetupCodeField({ value, error }: SetupCodeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const fillIn = () => {
      const code = window.location.hash.slice(1);
      if (code === "" || !field.current) return;
      field.current.value = code;
      window.history.replaceState(null, "", window.location.pathname + window.location.search);
    };
    fillIn();
    window.addEventListener("hashchange", fillIn);
    return () => window.removeEventListener("hashchange", fillIn);
  }, []);
  return (
    <TextInput
      label="Setup code"
      description="The service prints it on its console when it starts, with a link that fills it in."
      name="setup_code"
      ref={field}
      defaultValue={value}
      error={error}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      required
      withAsterisk={false}
    />
  );
}
