/** The office this browser showed last. */
const KEPT_AT = 'dayshift.office';

export const lastOffice = (): string => localStorage.getItem(KEPT_AT) ?? '';

export const keepOffice = (office: string): void => localStorage.setItem(KEPT_AT, office);
