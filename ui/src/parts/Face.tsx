/** Somebody's face: initials on a colour of their own; agents are square, people round. */
import { useComputedColorScheme } from '@mantine/core';
import clsx from 'clsx';
import type { CSSProperties } from 'react';
import classes from './Face.module.css';
import { hueOf, initials } from './identity';
import type { Presence } from './presence';

interface Props {
  name: string;
  kind?: 'agent' | 'person' | 'office';
  size?: number;
  /** Draws the dot; the word for it must be said elsewhere. */
  presence?: Presence | undefined;
}

export function Face({ name, kind = 'agent', size = 32, presence }: Props) {
  const scheme = useComputedColorScheme('light');
  const [background, ink] = hueOf(name)[scheme];
  const style = { '--size': `${size}px`, '--face-bg': background, '--face-ink': ink };
  return (
    <span
      className={clsx(classes.face, kind === 'person' && classes.person)}
      style={style as CSSProperties}
      aria-hidden="true"
    >
      {initials(name)}
      {presence && <span className={classes.dot} data-presence={presence} />}
    </span>
  );
}
