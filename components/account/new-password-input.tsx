import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** Where a new password is chosen. Typed once: whoever wants to see it can. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description="At least 12 characters, and none that can be guessed: four unrelated words are easy to keep in mind."
      autoComplete="new-password"
      required
      withAsterisk={false}
      // Mantine says it of other inputs, not of this one.
      aria-invalid={Boolean(props.error)}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      {...props}
    />
  );
}
