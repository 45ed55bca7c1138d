/** The box that starts everything: say what you want, to whom, and go. */
import { Button, Group, NativeSelect, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageAgent } from '../../api/actions';
import type { AgentView } from '../../api/types';
import { draftStore } from '../../parts/drafts';
import { notifyProblem } from '../../parts/notify';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { useGo } from '../../parts/To';
import { useAgents } from '../../stream/hooks';
import classes from './StartRequest.module.css';

/** The one who reports to nobody leads, and gets requests unless another is chosen. */
function leadOf(agents: AgentView[]): string {
  return (agents.find((agent) => agent.reports_to === '') ?? agents[0])?.name ?? '';
}

export function StartRequest() {
  const { t } = useTranslation();
  const { office } = usePlace();
  const go = useGo();
  const agents = Object.values(useAgents());
  const draft = draftStore(office, 'home');
  const [text, setText] = useState(draft.read);
  const [chosen, setChosen] = useState<string | null>(null);
  const to = chosen ?? leadOf(agents);
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      messageAgent(office, to, { text: text.trim(), mode: 'queue', key: crypto.randomUUID() }),
    onSuccess: () => {
      draft.write('');
      go(paths.dm(office, to));
    },
    onError: notifyProblem,
  });
  const ready = text.trim() !== '' && to !== '' && !isPending;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (ready) mutate();
  };
  return (
    <form onSubmit={submit} className={classes.box} data-tour="request">
      <Textarea
        variant="unstyled"
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        aria-label={t('home.request')}
        placeholder={t('home.request_example')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          draft.write(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event);
        }}
      />
      <Group justify="space-between" mt="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {t('home.request_to')}
          </Text>
          <NativeSelect
            size="xs"
            w={150}
            aria-label={t('home.request_to_whom')}
            data={agents.map((agent) => agent.name)}
            value={to}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        </Group>
        <Button
          type="submit"
          disabled={!ready}
          loading={isPending}
          rightSection={<ArrowUp size={16} />}
        >
          {t('home.request_send')}
        </Button>
      </Group>
    </form>
  );
}
