/** Nothing here yet, and how something gets here. */
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { Notice } from './Notice';

interface Props {
  title: string;
  text?: string | undefined;
  icon?: ReactNode;
  action?: ReactNode;
  compact?: boolean;
  isPage?: boolean;
}

export function Empty({ icon, ...rest }: Props) {
  return <Notice icon={icon ?? <Inbox size={24} />} {...rest} />;
}
