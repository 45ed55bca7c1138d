/** A sum of money; millionths of a US dollar. */
import { useTranslation } from 'react-i18next';
import { money } from './text/numbers';

interface Props {
  micros: number;
}

export function Money({ micros }: Props) {
  const { i18n } = useTranslation();
  return <span className="tabular">{money(micros, i18n.language)}</span>;
}
