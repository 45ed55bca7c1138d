/** A headed part of the sidebar. */
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  action?: ReactNode;
  /** Anchor of the tour. */
  tour?: string;
  children: ReactNode;
}

export function SideSection({ title, action, tour, children }: Props) {
  return (
    <nav aria-label={title} data-tour={tour} style={{ marginTop: 16 }}>
      <Group justify="space-between" px={9} mb={2} h={26}>
        <Text size="xs" fw={650} c="dimmed">
          {title}
        </Text>
        {action}
      </Group>
      {children}
    </nav>
  );
}
