/** The office floor. */
import { Container, Title } from '@mantine/core';

export function FloorPage() {
  return (
    <Container py="xl">
      <Title order={1}>Dayshift</Title>
    </Container>
  );
}
