import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A field for a new password. It is typed once, since a button shows it. */
export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <PasswordInput
      description="At least 12 characters, and none that can be guessed: four unrelated words are easy to remember."
      autoComplete="new-password"
      required
      withAsterisk={false}
      // Mantine sets it on other inputs, but not on this one.
      aria-invalid={Boolean(props.error)}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the password", tabIndex: 0 }}
      {...props}
    />
  );
}
