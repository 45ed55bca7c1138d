/** A tool card with its live output and, on demand, its whole result. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery } from '../../api/queries';
import type { CallView } from '../../api/types';
import { usePlace } from '../../parts/place';
import { ToolCard } from '../../parts/tool/ToolCard';
import { useLiveOutput } from '../../stream/hooks';

interface Props {
  call: CallView;
}

export function RunCall({ call }: Props) {
  const { office } = usePlace();
  const output = useLiveOutput(call.id);
  const [wanted, setWanted] = useState(false);
  const whole = useQuery({ ...callQuery(office, call.id), enabled: wanted });
  return (
    <ToolCard
      call={call}
      output={output}
      whole={{
        text: whole.data?.result,
        isLoading: whole.isFetching,
        load: () => setWanted(true),
      }}
    />
  );
}
