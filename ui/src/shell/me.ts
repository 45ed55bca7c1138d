/** Takes over who the person is: the CSRF value and the language. */
import { setCsrf } from '../api/client';
import type { Me } from '../api/types';
import { isLanguage, switchLanguage } from './i18n/i18n';

export async function acceptMe(me: Me): Promise<void> {
  setCsrf(me.csrf);
  if (isLanguage(me.person.language)) await switchLanguage(me.person.language);
}
