/** The words of one language, all files. */
import { wordsOf } from './words';

export const words = wordsOf(
  import.meta.glob('../locales/en/*.json', { eager: true, import: 'default' }),
);
