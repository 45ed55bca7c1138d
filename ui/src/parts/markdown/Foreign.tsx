/** Links and images that somebody else wrote: shown, never followed or loaded by themselves. */
import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../paths';
import { usePlace } from '../place';
import { To } from '../To';
import { targetOf } from './links';
import classes from './Markdown.module.css';

interface LinkProps {
  href: string | undefined;
  agent: string;
  children: ReactNode;
}

export function ForeignLink({ href, agent, children }: LinkProps) {
  const { office } = usePlace();
  const target = targetOf(href);
  if (target?.kind === 'web') {
    return (
      <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" title={target.href}>
        {children}
      </a>
    );
  }
  if (target?.kind === 'file' && agent !== '') {
    return <To to={paths.files(office, agent, target.path)}>{children}</To>;
  }
  return <span title={href}>{children}</span>;
}

interface ImageProps {
  src: string | undefined;
  alt: string | undefined;
  agent: string;
}

export function ForeignImage({ src, alt, agent }: ImageProps) {
  const { t } = useTranslation();
  const target = targetOf(src);
  return (
    <span className={classes.image}>
      <ImageOff size={14} aria-hidden="true" />
      <ForeignLink href={src} agent={agent}>
        {alt || t('parts.image')}
      </ForeignLink>
      <span className={classes.imageNote}>
        {target?.kind === 'web' ? t('parts.image_elsewhere', { host: target.host }) : null}
      </span>
    </span>
  );
}
