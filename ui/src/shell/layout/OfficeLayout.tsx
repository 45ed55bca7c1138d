/** The frame of an office: its feed, its sidebar, its top bar, and the page. */
import { OfficeFeed } from '../../stream/OfficeFeed';
import { OfficeFrame } from './OfficeFrame';
import { OfficeGate } from './OfficeGate';

interface Props {
  office: string;
}

export function OfficeLayout({ office }: Props) {
  return (
    <OfficeFeed office={office}>
      <OfficeGate>
        <OfficeFrame />
      </OfficeGate>
    </OfficeFeed>
  );
}
