/** A channel. */
import { createFileRoute } from '@tanstack/react-router';
import { ChannelPage } from '../../pages/conversation/ChannelPage';
import { conversationSearch } from '../../pages/conversation/search';
import { onlyKnown } from '../onlyKnown';

export const Route = createFileRoute('/o/$office/channels/$name')({
  validateSearch: onlyKnown(conversationSearch),
  component: ChannelPage,
});
