/** The inside of a tool card: arguments, output, result, what was left behind. */
import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Artifact, CallView } from '../../api/types';
import { CodeBlock } from '../markdown/CodeBlock';
import { paths } from '../paths';
import { usePlace } from '../place';
import { To } from '../To';
import { bytes } from '../text/numbers';
import { argumentsOf, pretty } from './callText';
import { DiffView } from './DiffView';
import { LogView } from './LogView';
import classes from './ToolCard.module.css';

export interface WholeResult {
  text: string | undefined;
  isLoading: boolean;
  load: () => void;
}

interface Props {
  call: CallView;
  output: string | undefined;
  whole: WholeResult | undefined;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <Text size="xs" fw={650} c="dimmed" mb={4}>
        {title}
      </Text>
      {children}
    </div>
  );
}

/** A command reads better as a command than as JSON. */
function Arguments({ call }: { call: CallView }) {
  const args = argumentsOf(call.arguments);
  if (args !== null && typeof args.command === 'string') {
    const { command, ...rest } = args;
    return (
      <>
        <CodeBlock text={command} language="bash" bare />
        {Object.keys(rest).length > 0 && (
          <CodeBlock text={JSON.stringify(rest, null, 2)} language="json" bare />
        )}
      </>
    );
  }
  return <CodeBlock text={pretty(call.arguments)} language="json" bare />;
}

function Left({ artifact, agent }: { artifact: Artifact; agent: string }) {
  const { office } = usePlace();
  if (artifact.kind === 'diff' && artifact.diff) {
    return <DiffView path={artifact.path ?? ''} diff={artifact.diff} />;
  }
  if ((artifact.kind === 'file' || artifact.kind === 'diff') && artifact.path) {
    return (
      <Text size="sm">
        <To to={paths.files(office, agent, artifact.path)}>{artifact.path}</To>
        {artifact.bytes ? (
          <Text span size="xs" c="dimmed">
            {' '}
            {bytes(artifact.bytes)}
          </Text>
        ) : null}
      </Text>
    );
  }
  if (artifact.kind === 'task' && artifact.id) {
    return <To to={paths.board(office, artifact.id)}>{artifact.id}</To>;
  }
  return null;
}

export function ToolDetail({ call, output, whole }: Props) {
  const { t } = useTranslation();
  const running = call.state === 'running' || call.state === 'pending';
  const text = whole?.text ?? call.result;
  const isPart = whole?.text === undefined && call.result_bytes > call.result.length;
  return (
    <div className={classes.detail}>
      <Part title={t('parts.arguments')}>
        <Arguments call={call} />
      </Part>
      {running && output && (
        <Part title={t('parts.output')}>
          <LogView text={output} follow label={t('parts.output')} />
        </Part>
      )}
      {call.artifacts.length > 0 && (
        <Part title={t('parts.left')}>
          {call.artifacts.map((artifact) => (
            <Left
              key={`${artifact.kind}:${artifact.path}:${artifact.id}`}
              artifact={artifact}
              agent={call.agent}
            />
          ))}
        </Part>
      )}
      {text !== '' && (
        <Part title={t(call.state === 'failed' ? 'parts.error' : 'parts.result')}>
          <LogView text={text} label={t('parts.result')} />
          {isPart && whole && (
            <Button
              size="compact-xs"
              variant="subtle"
              mt={4}
              loading={whole.isLoading}
              onClick={whole.load}
            >
              {t('parts.whole_result', { size: bytes(call.result_bytes) })}
            </Button>
          )}
        </Part>
      )}
      {call.state === 'interrupted' && (
        <Text size="sm" c="dimmed">
          {t('parts.interrupted_text')}
        </Text>
      )}
    </div>
  );
}
