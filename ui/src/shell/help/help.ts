/** Opening the sheet of shortcuts; dialogs are fetched when they are wanted. */
export const openHelp = (): void => {
  void import('./sheet').then(({ openSheet }) => openSheet());
};
