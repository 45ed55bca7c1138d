/** Talk between agents. */
import { createFileRoute } from '@tanstack/react-router';
import { conversationSearch } from '../../pages/conversation/search';
import { TalkPage } from '../../pages/conversation/TalkPage';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/talk/$thread')({
  validateSearch: onlyKnown(conversationSearch),
  component: TalkPage,
});
