import { Container } from "@mantine/core";

import { NoSuchPage } from "@/components/shell/no-such-page";

export const metadata = { title: "Page not found" };

/** The console's frame already contains the page's only `main`. */
export default function NotFound() {
  return (
    <Container size="xs" py={96}>
      <NoSuchPage />
    </Container>
  );
}
