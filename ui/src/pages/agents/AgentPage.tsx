/** One agent: what it does, what waits for it, what it was told, what it may do. */
import '@mantine/core/styles.layer.css';
import { Button, Group, Tabs, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MessageSquare, Pause, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pauseInbox } from '../../api/actions';
import type { AgentView } from '../../api/types';
import { Face } from '../../parts/Face';
import { intoView } from '../../parts/intoView';
import { notifyProblem } from '../../parts/notify';
import { Page } from '../../parts/Page';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { presenceOf } from '../../parts/presence';
import { Failure } from '../../parts/states/Failure';
import { To } from '../../parts/To';
import { useAgent, useOpenRun } from '../../stream/hooks';
import classes from './Agent.module.css';
import { AgentDoing } from './AgentDoing';
import { FilesTab } from './FilesTab';
import { InboxTab } from './InboxTab';
import { OverviewTab } from './OverviewTab';
import { PromptTab } from './PromptTab';
import { RunsTab } from './RunsTab';
import { SettingsTab } from './SettingsTab';
import { AGENT_TABS, type AgentTab } from './search';
import { ToolsTab } from './ToolsTab';
import { UsageTab } from './UsageTab';

const route = getRouteApi('/o/$office/agents/$agent');

const TABS: Record<AgentTab, (props: { agent: AgentView }) => React.ReactNode> = {
  overview: OverviewTab,
  inbox: InboxTab,
  runs: RunsTab,
  files: FilesTab,
  prompt: PromptTab,
  tools: ToolsTab,
  usage: UsageTab,
  settings: SettingsTab,
};

export function AgentPage() {
  const { t } = useTranslation();
  const { agent: name } = route.useParams();
  const { tab = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const agent = useAgent(name);
  if (agent === undefined) {
    return (
      <Page>
        <VisuallyHidden component="h1">{name}</VisuallyHidden>
        <Failure
          problem={{
            status: 404,
            code: 'not_found',
            message: t('agents.missing', { agent: name }),
            hint: '',
          }}
        />
      </Page>
    );
  }
  const Tab = TABS[tab];
  return (
    <Page>
      <Head agent={agent} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: next === 'overview' ? {} : { tab: next as AgentTab } })
        }
      >
        <Tabs.List className={classes.tabs} aria-label={t('agents.tabs', { agent: name })}>
          {AGENT_TABS.map((one) => (
            <Tabs.Tab key={one} value={one} ref={one === tab ? intoView : null}>
              {t(`agents.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {AGENT_TABS.map((one) => (
          <Tabs.Panel key={one} value={one} pt="lg" tabIndex={-1}>
            {one === tab && <Tab key={name} agent={agent} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function Head({ agent }: { agent: AgentView }) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const run = useOpenRun(agent.run);
  const presence = presenceOf(agent);
  const pause = useMutation({
    mutationFn: () => pauseInbox(office, agent.name, !agent.inbox_paused),
    onError: notifyProblem,
  });
  return (
    <header className={classes.head}>
      <Face name={agent.name} size={56} presence={presence} />
      <div className={classes.headText}>
        <Title order={1}>{agent.name}</Title>
        <Text size="sm" c="dimmed">
          {[agent.title, agent.group].filter(Boolean).join(' · ')}
        </Text>
        <AgentDoing run={run} presence={presence} />
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={agent.inbox_paused ? <Play size={14} /> : <Pause size={14} />}
          loading={pause.isPending}
          onClick={() => pause.mutate()}
        >
          {t(agent.inbox_paused ? 'agents.resume_inbox' : 'agents.pause_inbox')}
        </Button>
        <Button
          size="xs"
          c="white"
          leftSection={<MessageSquare size={14} />}
          component={To}
          to={paths.dm(office, agent.name)}
        >
          {t('agents.message')}
        </Button>
      </Group>
    </header>
  );
}
