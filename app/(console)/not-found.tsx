import { Container } from "@mantine/core";

import { NoSuchPage } from "@/components/shell/no-such-page";

export const metadata = { title: "Page not found" };

/** Within the console, whose frame holds the page's one `main`. */
export default function NotFound() {
  return (
    <Container size="xs" py={96}>
      <NoSuchPage />
    </Container>
  );
}
