import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** Takes an access token of a Salesforce org. */
export function TokenField(props: PasswordInputProps) {
  return (
    <PasswordInput
      description="Also called session id. It is kept encrypted and never shown again."
      placeholder="00D…"
      autoComplete="off"
      spellCheck={false}
      required
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the access token", tabIndex: 0 }}
      {...props}
    />
  );
}
