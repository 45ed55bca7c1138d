/** What an edit changed, line by line. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './DiffView.module.css';
import { type DiffRow, diffRows, diffSize } from './diff';

interface Props {
  path: string;
  diff: string;
}

/** More rows than this are cut; the file itself shows the rest. */
const ROWS_MAX = 600;

const SIGN: Record<DiffRow['kind'], string> = { same: ' ', added: '+', removed: '−', hunk: '' };

export function DiffView({ path, diff }: Props) {
  const { t } = useTranslation();
  const rows = diffRows(diff);
  const { added, removed } = diffSize(rows);
  return (
    <figure className={classes.diff}>
      <figcaption className={classes.head}>
        <span className={classes.path}>{path}</span>
        <span className={classes.added}>+{added}</span>
        <span className={classes.removed}>−{removed}</span>
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: not a set of form fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and must do so by keyboard */}
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={path}>
        <table className={classes.table}>
          <tbody>
            {rows.slice(0, ROWS_MAX).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes
              <tr key={index} data-kind={row.kind}>
                <td className={classes.number}>{row.before || ''}</td>
                <td className={classes.number}>{row.after || ''}</td>
                <td className={classes.sign}>{SIGN[row.kind]}</td>
                <td className={classes.text}>{row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > ROWS_MAX && (
        <Text size="xs" c="dimmed" p="xs">
          {t('parts.diff_cut', { count: rows.length - ROWS_MAX })}
        </Text>
      )}
    </figure>
  );
}
