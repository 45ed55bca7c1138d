/** The office's tasks as cards in columns. */
import './styles';
import { getRouteApi } from '@tanstack/react-router';
import { SquareKanban } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../parts/Page';
import { Empty } from '../../parts/states/Empty';
import { useSnapshot } from '../../stream/hooks';
import classes from './Board.module.css';
import { BoardFilters } from './BoardFilters';
import { Columns } from './Columns';
import { columnsOf, shownTasks } from './cards';
import { DependencyLines } from './DependencyLines';
import { TaskDrawer } from './TaskDrawer';
import { useFirstCards } from './useFirstCards';
import { useMove } from './useMove';

const route = getRouteApi('/o/$office/board');

export function BoardPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tasks = useSnapshot((s) => s.tasks);
  const runs = useSnapshot((s) => s.runs);
  const mover = useMove();
  const board = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => shownTasks(tasks, search), [tasks, search]);
  useFirstCards(board, shown.length > 0);
  const columns = useMemo(() => columnsOf(shown, mover.moving), [shown, mover.moving]);
  const open = (task: string | undefined) => {
    const { task: _old, ...rest } = search;
    void navigate({ search: task === undefined ? rest : { ...rest, task } });
  };
  const isFiltered = search.assignee ?? search.chain ?? search.text;
  return (
    <Page width="full">
      <BoardFilters
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      {shown.length === 0 ? (
        <Empty
          icon={<SquareKanban size={24} />}
          title={t(isFiltered ? 'board.empty_filter' : 'board.empty')}
          text={isFiltered ? undefined : t('board.empty_text')}
        />
      ) : (
        <div className={classes.board} ref={board}>
          <Columns
            columns={columns}
            tasks={tasks}
            runs={runs}
            onMove={mover.move}
            onOpen={open}
            selected={search.task}
          />
          <DependencyLines board={board} tasks={shown} all={search.lines === true} />
        </div>
      )}
      <TaskDrawer id={search.task} onClose={() => open(undefined)} onMove={mover.move} />
    </Page>
  );
}
