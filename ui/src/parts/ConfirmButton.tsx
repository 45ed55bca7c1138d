/** A button for what cannot be taken back: the first click asks, the second does it. */
import { Button, type ButtonProps, Group, Popover, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props extends ButtonProps {
  children: ReactNode;
  /** What will happen. */
  question: string;
  onConfirm: () => void;
}

export function ConfirmButton({ children, question, onConfirm, ...button }: Props) {
  const { t } = useTranslation();
  const [opened, popover] = useDisclosure(false);
  return (
    <Popover opened={opened} onChange={popover.set} width={280} trapFocus withArrow>
      <Popover.Target>
        <Button variant="default" {...button} onClick={popover.toggle}>
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{question}</Text>
        <Group gap="xs" mt="sm" justify="flex-end">
          <Button size="xs" variant="default" onClick={popover.close}>
            {t('parts.cancel')}
          </Button>
          <Button
            size="xs"
            color="red"
            onClick={() => {
              popover.close();
              onConfirm();
            }}
          >
            {t('parts.confirm')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
