/** Every shortcut there is. */
import { Group, Kbd, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NAV } from '../nav';

const COMMAND = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

export function HelpSheet() {
  const { t } = useTranslation();
  const rows: [string[], string][] = [
    [[COMMAND, 'K'], t('shell.search')],
    [['?'], t('shell.shortcuts')],
    ...NAV.map((entry): [string[], string] => [
      ['g', entry.letter],
      t('shell.go_to', { page: t(`shell.nav.${entry.key}`) }),
    ]),
    [['g', 'm'], t('shell.go_unread')],
    [['Enter'], t('shell.key_send')],
    [['Shift', 'Enter'], t('shell.key_newline')],
    [['Esc'], t('shell.key_close')],
  ];
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('shell.shortcuts_text')}
      </Text>
      <Table>
        <Table.Tbody>
          {rows.map(([keys, what]) => (
            <Table.Tr key={keys.join(' ')}>
              <Table.Td w={130}>
                <Group gap={4} wrap="nowrap">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
