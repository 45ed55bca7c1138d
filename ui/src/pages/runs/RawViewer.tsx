/** The raw request or response of a turn, in a drawer; fetched when asked for, drawn line by line as one scrolls. */
import { Button, Drawer, Group, SegmentedControl, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Copy, SquareTerminal } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../../api/problem';
import { providersQuery, turnBodyQuery } from '../../api/queries';
import { usePlace } from '../../parts/place';
import { Failure } from '../../parts/states/Failure';
import { Loading } from '../../parts/states/Loading';
import { bytes } from '../../parts/text/numbers';
import { pretty } from '../../parts/tool/callText';
import { LogView } from '../../parts/tool/LogView';
import classes from './Runs.module.css';
import { curlCommand } from './replay';

type What = 'request' | 'response';

interface Props {
  run: string;
  /** Nothing is open without a turn. */
  turn: number | undefined;
  what: What | undefined;
  onWhat: (what: What) => void;
  onClose: () => void;
}

export function RawViewer({ run, turn, what, onWhat, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={turn !== undefined}
      onClose={onClose}
      position="right"
      size="min(900px, 100%)"
      title={t('runs.raw', { n: turn ?? 0 })}
      closeButtonProps={{ 'aria-label': t('parts.close') }}
    >
      {turn !== undefined && what !== undefined && (
        <>
          <SegmentedControl
            size="xs"
            mb="sm"
            data={[
              { value: 'request', label: t('runs.request') },
              { value: 'response', label: t('runs.response') },
            ]}
            value={what}
            onChange={(next) => onWhat(next as What)}
            aria-label={t('runs.raw_what')}
          />
          <Body run={run} turn={turn} what={what} />
        </>
      )}
    </Drawer>
  );
}

function Body({ run, turn, what }: { run: string; turn: number; what: What }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const query = useQuery(turnBodyQuery(office, run, turn, what));
  const providers = useQuery({ ...providersQuery, enabled: what === 'request' });
  const body = useClipboard();
  const command = useClipboard();
  const text = useMemo(() => pretty(query.data ?? ''), [query.data]);
  if (query.isPending) return <Loading rows={10} />;
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  const model = /"model":\s*"([\w.-]+):/.exec(query.data)?.[1];
  const curl =
    what === 'request'
      ? curlCommand(
          providers.data?.find((one) => one.id === model),
          query.data,
        )
      : null;
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<Copy size={13} />}
          onClick={() => body.copy(query.data)}
        >
          {t(body.copied ? 'parts.copied' : 'runs.copy_body')}
        </Button>
        {curl !== null && (
          <Button
            size="xs"
            variant="default"
            leftSection={<SquareTerminal size={13} />}
            onClick={() => command.copy(curl)}
          >
            {t(command.copied ? 'parts.copied' : 'runs.copy_curl')}
          </Button>
        )}
        <Text size="xs" c="dimmed" className="tabular">
          {bytes(new Blob([query.data]).size)}
        </Text>
      </Group>
      <div className={classes.raw}>
        <LogView text={text} label={t(`runs.${what}`)} maxHeight={640} />
      </div>
    </>
  );
}
