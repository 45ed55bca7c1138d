/** Opening the dialog that makes a channel; it is fetched when it is wanted. */
export const openNewChannel = (office: string, agents: string[]): void => {
  void import('./newChannelDialog').then(({ showNewChannel }) => showNewChannel(office, agents));
};
