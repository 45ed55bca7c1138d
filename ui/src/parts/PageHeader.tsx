/** A page's title, what it is for, and what can be done on it. */
import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, text, actions }: Props) {
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Title order={1}>{title}</Title>
        {text && (
          <Text size="sm" c="dimmed" mt={2}>
            {text}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
