/** Conversation with an agent. */
import { createFileRoute } from '@tanstack/react-router';
import { DmPage } from '../../pages/conversation/DmPage';
import { conversationSearch } from '../../pages/conversation/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/dm/$agent')({
  validateSearch: onlyKnown(conversationSearch),
  component: DmPage,
});
