import { Container } from "@mantine/core";

import { NoSuchPage } from "@/components/shell/no-such-page";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <Container size="xs" component="main" py={96}>
      <NoSuchPage />
    </Container>
  );
}
