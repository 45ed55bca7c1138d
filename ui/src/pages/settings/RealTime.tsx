/** A moment of the person's own time: sign-ins and tokens have nothing to do with the office's clock. */
import { useTranslation } from 'react-i18next';
import { ago, fullTime } from '../../parts/text/time';
import { useTick } from '../../parts/useTick';

interface Props {
  at: string;
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function RealTime({ at }: Props) {
  const { i18n } = useTranslation();
  const now = useTick(30_000);
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={fullTime(ms, { language: i18n.language, zone })}>
      {ago(ms, now, i18n.language)}
    </time>
  );
}
