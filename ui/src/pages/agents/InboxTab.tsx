/** What an agent works off: the item in hand, what waits in order, what was set aside, what ended lately. */
import { DragDropContext, Draggable, Droppable } from '@hello-pangea/dnd';
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { moveItem, pauseInbox } from '../../api/actions';
import type { AgentView } from '../../api/types';
import { notifyProblem } from '../../parts/notify';
import { Panel } from '../../parts/Panel';
import { usePlace } from '../../parts/place';
import { Empty } from '../../parts/states/Empty';
import { useSnapshot } from '../../stream/hooks';
import classes from './Agent.module.css';
import { EndedItems } from './EndedItems';
import { InboxItem } from './InboxItem';
import { inboxOrder, moveTo, type Rank } from './inbox';

interface Props {
  agent: AgentView;
}

export function InboxTab({ agent }: Props) {
  const { t } = useTranslation();
  const { office } = usePlace();
  const items = useSnapshot((s) => s.items);
  const [moved, setMoved] = useState<Record<string, readonly string[]>>({});
  const inbox = useMemo(() => inboxOrder(items, agent.name, moved), [items, agent.name, moved]);
  const go = useMutation({
    mutationFn: () => pauseInbox(office, agent.name, false),
    onError: notifyProblem,
  });
  const move = (rank: Rank, from: number, to: number) => {
    const item = rank.items[from];
    const next = moveTo(rank.items, from, to);
    if (item === undefined || next === null) return;
    setMoved((all) => ({ ...all, [rank.priority]: next.order }));
    void moveItem(office, item.id, next.before)
      .catch(notifyProblem)
      .finally(() => setMoved(({ [rank.priority]: _done, ...rest }) => rest));
  };
  const isEmpty = inbox.taken.length + inbox.ranks.length + inbox.parked.length === 0;
  return (
    <>
      {agent.inbox_paused && (
        <div className={classes.notice} role="status">
          {t('agents.inbox.paused')}
          <Button size="xs" variant="default" loading={go.isPending} onClick={() => go.mutate()}>
            {t('agents.resume_inbox')}
          </Button>
        </div>
      )}
      {isEmpty && (
        <Empty
          icon={<Inbox size={24} />}
          title={t('agents.inbox.empty')}
          text={t('agents.inbox.empty_text', { agent: agent.name })}
        />
      )}
      {inbox.taken.length > 0 && (
        <section aria-label={t('agents.inbox.taken')}>
          <Text className={classes.rank} mt={0}>
            {t('agents.inbox.taken')}
          </Text>
          {inbox.taken.map((item) => (
            <InboxItem key={item.id} item={item} />
          ))}
        </section>
      )}
      <DragDropContext
        dragHandleUsageInstructions={t('agents.inbox.how')}
        onDragEnd={({ source, destination }) => {
          const rank = inbox.ranks.find((one) => String(one.priority) === source.droppableId);
          if (rank && destination) move(rank, source.index, destination.index);
        }}
      >
        {inbox.ranks.map((rank) => (
          <section key={rank.priority} aria-label={t(`agents.inbox.rank.${rank.priority}`)}>
            <Text className={classes.rank}>{t(`agents.inbox.rank.${rank.priority}`)}</Text>
            <Droppable droppableId={String(rank.priority)} type={String(rank.priority)}>
              {(drop) => (
                <div ref={drop.innerRef} {...drop.droppableProps}>
                  {rank.items.map((item, index) => (
                    <Draggable key={item.id} draggableId={item.id} index={index}>
                      {(drag, { isDragging }) => (
                        <div ref={drag.innerRef} {...drag.draggableProps}>
                          <InboxItem
                            item={item}
                            handle={drag.dragHandleProps}
                            isDragging={isDragging}
                            onUp={index > 0 ? () => move(rank, index, index - 1) : undefined}
                            onDown={
                              index < rank.items.length - 1
                                ? () => move(rank, index, index + 1)
                                : undefined
                            }
                          />
                        </div>
                      )}
                    </Draggable>
                  ))}
                  {drop.placeholder}
                </div>
              )}
            </Droppable>
          </section>
        ))}
      </DragDropContext>
      {inbox.parked.length > 0 && (
        <section aria-label={t('agents.inbox.parked')}>
          <Text className={classes.rank}>{t('agents.inbox.parked')}</Text>
          {inbox.parked.map((item) => (
            <InboxItem key={item.id} item={item} />
          ))}
        </section>
      )}
      <div style={{ marginTop: 28 }}>
        <Panel title={t('agents.inbox.ended')}>
          <EndedItems agent={agent.name} />
        </Panel>
      </div>
    </>
  );
}
