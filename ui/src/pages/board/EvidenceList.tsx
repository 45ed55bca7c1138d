/** What shows that a card is done. */
import { Title } from '@mantine/core';
import { CircleCheck, FileText, StickyNote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Evidence, TaskView } from '../../api/types';
import { paths } from '../../parts/paths';
import { usePlace } from '../../parts/place';
import { To } from '../../parts/To';
import classes from './Board.module.css';

interface Props {
  task: TaskView;
}

const ICONS = { file: FileText, note: StickyNote, check: CircleCheck } as const;

function Piece({ evidence, assignee }: { evidence: Evidence; assignee: string }) {
  const { office } = usePlace();
  const Icon = ICONS[evidence.kind];
  return (
    <li className={classes.piece}>
      <Icon size={15} aria-hidden="true" />
      {evidence.kind === 'file' ? (
        <To to={paths.files(office, evidence.agent || assignee, evidence.path)}>{evidence.path}</To>
      ) : null}
      {evidence.text !== '' && (
        <span className={classes.about} data-below={evidence.kind === 'file' || undefined}>
          {evidence.text}
        </span>
      )}
    </li>
  );
}

export function EvidenceList({ task }: Props) {
  const { t } = useTranslation();
  if (task.evidence.length === 0) return null;
  return (
    <section className={classes.section}>
      <Title order={3} mb={6}>
        {t('board.evidence')}
      </Title>
      <ul className={classes.list}>
        {task.evidence.map((evidence) => (
          <Piece
            key={`${evidence.kind}:${evidence.path}:${evidence.text}`}
            evidence={evidence}
            assignee={task.assignee}
          />
        ))}
      </ul>
    </section>
  );
}
