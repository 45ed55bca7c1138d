/** Renders a part as the shell would: theme, English words, an office in Berlin. */
import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactElement } from 'react';
import { initReactI18next } from 'react-i18next';
import { type Place, PlaceContext } from '../parts/place';
import { words } from '../shell/i18n/en';

export const PLACE: Place = {
  office: 'acme',
  zone: 'Europe/Berlin',
  simulated: false,
  person: 'ada',
  personName: 'Ada',
  now: () => Date.parse('2026-03-02T10:00:00+01:00'),
};

/** Only what the part drew is in `container`, not what surrounds it. */
export async function renderPart(part: ReactElement): Promise<{ container: HTMLElement }> {
  if (!i18next.isInitialized) {
    await i18next
      .use(initReactI18next)
      .init({ lng: 'en', resources: { en: { translation: words } } });
  }
  const { baseElement } = render(
    <MantineProvider env="test">
      <PlaceContext value={PLACE}>
        <div data-part>{part}</div>
      </PlaceContext>
    </MantineProvider>,
  );
  const container = baseElement.querySelector<HTMLElement>('[data-part]');
  if (container === null) throw new Error('nothing was drawn');
  return { container };
}
