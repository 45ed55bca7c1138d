/** For the chosen one of a row that may run off a narrow screen: `ref={isChosen ? intoView : null}`. */
export const intoView = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest', inline: 'center' });
