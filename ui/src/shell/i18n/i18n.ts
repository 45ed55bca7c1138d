/** Words of the interface. One chunk per language; every page has a file of its own in each. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../api/types';

const LOADERS: Record<Language, () => Promise<{ words: Record<string, unknown> }>> = {
  en: () => import('./en'),
  zh: () => import('./zh'),
};

const KEPT_AT = 'dayshift.language';

export const isLanguage = (value: string | null | undefined): value is Language =>
  value === 'en' || value === 'zh';

/** What the person chose last on this browser, else what the browser prefers. */
export function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AT);
  if (isLanguage(kept)) return kept;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const { words } = await LOADERS[language]();
  i18next.addResourceBundle(language, 'translation', words);
}

/** One change after the other, so that the last one wished for wins. */
let changes: Promise<unknown> = Promise.resolve();

function inTurn(change: () => Promise<unknown>): Promise<void> {
  const done = changes.catch(() => {}).then(change);
  changes = done;
  return done.then(() => {});
}

export function startI18n(): Promise<void> {
  void inTurn(start);
  return switchLanguage(firstLanguage());
}

async function start(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  });
}

/** Switches the interface to a language. */
export const switchLanguage = (language: Language): Promise<void> => inTurn(() => change(language));

async function change(language: Language): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  localStorage.setItem(KEPT_AT, language);
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}
